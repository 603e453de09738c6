"""Rows about the service under load.

`wrk` sends requests to a real server process with its own database, and to a bare Litestar endpoint
that decodes the same bodies and stores nothing. Every counted answer was checked by the referee and
is on the disk.
"""
