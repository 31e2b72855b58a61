"""A simulation of an incast, packet by packet: numbers in, numbers out.

The modules that numba compiles are imported by `load_kernel` alone, so that nothing else waits for numba.
"""
