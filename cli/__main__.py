"""Run `plybook` as `python -m cli`."""

from cli import main

if __name__ == "__main__":  # processes of `plybook verify` import this module too
    main()
