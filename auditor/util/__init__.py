"""What knows nothing of networks: text, YAML, encoding, and the data that comes with the program."""
