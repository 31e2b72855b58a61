"""What the readers of several operating systems share: stanzas, statements, ranges, trees, operational state."""
