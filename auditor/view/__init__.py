"""The public JSON of the model: the port view and the coverage of dumps."""
