"""The parts of a store over a database of SQL, written once for SQLite and PostgreSQL.

Statements have `?` where a value goes, and say nothing that only one of both understands. What a
database does in its own way is a method or a constant of its `Connection`.
"""
