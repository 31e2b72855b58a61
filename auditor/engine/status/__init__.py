"""The state of a fabric after many captures, for those who take it over: what is new, open, fixed, and not known."""
