"""A report in a terminal, page by page: what each page shows, and the program that turns the pages."""
