"""A simulation of an incast, packet by packet: numbers in, numbers out.

The modules that numba compiles are imported when the first run begins, so that nothing else waits for numba.
"""
