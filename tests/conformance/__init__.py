"""What holds for every game on the shelf, built in or added by another distribution."""
