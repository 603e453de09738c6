"""Run `python -m plybook` as the command `plybook`."""

from plybook_command import main

if __name__ == "__main__":  # processes of `plybook verify` import this module too
    main()
