"""What findings cost, and what counters of the dumps say of them."""
