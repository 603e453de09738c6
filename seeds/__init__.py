"""The rules and a demonstration match of each game that comes with Plybook."""
