"""The loss model: numbers in, numbers out; it never sees the model of devices."""
