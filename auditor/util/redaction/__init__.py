"""Parts of the redaction: names of secrets, assignments, forms of commands, shapes, and structure across lines."""
