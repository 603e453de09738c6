"""Benchmarks: `python -m tests.bench`, with the extra `bench`; `… load` for the service.

A machine's speed says nothing by itself, so everything is timed against the same kind of work
done by something else a moment before and after: the games against python-chess, the service
against a bare endpoint. Each suite of the games is a module that gives `jobs()`.
"""
