"""The service under load: `python -m tests.bench load`.

The real server process on a database of its own, asked from outside by `wrk`, next to a bare
Litestar endpoint that decodes the same bodies and stores nothing. Every answer counted has been
refereed and is on the disk.
"""
