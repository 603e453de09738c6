"""Plybook in a tab of a browser: the site that brings it there, and what runs in the tab."""
