"""Programs at the table: the referee line by line, engines, and players that search."""
