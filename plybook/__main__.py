"""Run `python -m plybook` as the command `plybook`."""

from plybook_command import main

if __name__ == "__main__":  # a worker process of the service imports this module too
    main()
