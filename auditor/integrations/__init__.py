"""Other programs that run a pull or an audit: each has a module, and each module needs the package of that program."""
