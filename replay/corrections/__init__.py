"""Corrections of a record: amendments, adjustments, take-backs, missing moves."""
