"""Fixes: remedies typed into the dumps in memory, audited again, and put into an order.

Nothing is sent to a device. What an audit says of typed lines is this program's reading, not the device's.
"""
