"""Plybook in a tab of a browser: the site that delivers it, and the program in the tab."""
