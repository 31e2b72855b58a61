"""What the operating systems share that are read in their core only: indented or `#`-separated command lines."""
