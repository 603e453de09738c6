"""The configuration of Sphinx: `sphinx-build -W --keep-going -n docs build/docs`."""

from __future__ import annotations

from importlib.metadata import version as installed

project = "Plybook"
author = "The Plybook developers"
release = version = installed("plybook")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Plybook"
html_static_path: list[str] = []
exclude_patterns = ["_build"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
default_role = "code"  # docstrings write code in single backticks
nitpick_ignore_regex = [("py:class", ".*")]  # many types in signatures have no page here
