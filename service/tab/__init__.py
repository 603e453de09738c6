"""Plybook in a tab of a browser: the site that brings it there, and the program in the tab."""
