"""`python -m cli` is `plybook`."""

from cli import main

main()
