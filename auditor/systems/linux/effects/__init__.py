"""What commands typed at a host change in its captures, as the manuals of the tools state it."""
