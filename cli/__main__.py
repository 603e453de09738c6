"""Run `plybook` as `python -m cli`."""

from cli import main

if __name__ == "__main__":  # worker processes of the service import this module too
    main()
