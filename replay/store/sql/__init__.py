"""The parts of a store over a database of SQL, written once for SQLite and PostgreSQL.

Statements have `?` where a value goes, and use only SQL that both understand. The rest is in
methods and constants of `Connection`.
"""
