"""The doors for content from outside: each has, for each check, a test or a reason to need none.

A cell names a test that sends something wrong through the door, or says "cannot: ". A door whose
content goes through another door is judged there: its cell says "as " and the door, and the table
`LEADS` names the test that shows the way.
"""

from __future__ import annotations

import ast
from functools import cache

import pytest

from tests.paths import ROOT

CHECKS = ("who may", "size", "text", "time", "actor", "dice", "secrets", "unknown game")

LEADS = {
    ("link", "text record"): "test_shared_link_imports_the_match",
    ("import page", "text record"): "test_chosen_file_is_imported_on_this_device",
    ("import page", "merge"): "test_all_matches_are_handed_over",
    ("tab hand-over", "merge"): "test_all_matches_are_handed_over",
    ("MCP", "HTTP"): "test_bad_arguments_get_a_clear_error",
    ("command line", "archive"): "test_longer_archive_is_appended_and_diverged_one_refused",
    ("command line", "merge"): "test_longer_archive_is_appended_and_diverged_one_refused",
}
"""A test that shows how the first door leads through the second."""

NO_TIME = "cannot: it has no times; the book's own clock gives them"
NO_ACTOR = "cannot: it names no author; the caller is the author"

DOORS: dict[str, dict[str, str]] = {
    "HTTP": {
        "who may": "test_roles_limit_the_operations",
        "size": "test_body_beyond_the_limit_is_refused",
        "text": "test_comments_and_tags_refuse_hidden_characters",
        "time": NO_TIME,
        "actor": NO_ACTOR,
        "dice": "test_service_rolls_by_committed_seed_and_reveals_it",
        "secrets": "test_nobody_sees_a_secret_of_the_parent_in_a_fork",
        "unknown game": "test_unknown_games_and_rules_are_404",
    },
    "archive": {
        "who may": "cannot: whoever sends a new match is its host",
        "size": "test_archive_beyond_limit_is_refused_with_line",
        "text": "test_archive_is_cleaned_with_warnings_and_merges_again",
        "time": "test_new_match_keeps_odd_authors_and_times_with_a_warning",
        "actor": "test_new_match_keeps_odd_authors_and_times_with_a_warning",
        "dice": "test_roll_that_contradicts_the_seed_is_found",
        "secrets": "test_spectator_appends_a_fork_at_a_sealed_ply",
        "unknown game": "test_match_of_a_game_that_is_not_installed_has_tokens",
    },
    "merge": {
        "who may": "test_merged_archive_continues_a_match_for_its_host",
        "size": "test_matches_of_one_import_are_limited",
        "text": "test_archive_is_cleaned_with_warnings_and_merges_again",
        "time": "test_only_a_clock_refuses_a_false_order_of_times",
        "actor": "test_author_and_time_of_a_merged_event_are_kept_as_claims",
        "dice": "test_roll_of_the_service_is_not_merged_and_no_verdict_tells_the_next",
        "secrets": "test_card_is_not_merged_while_hands_are_hidden",
        "unknown game": "test_impossible_value_is_refused",
    },
    "text record": {
        "who may": "cannot: it makes a new match, whose host is the sender",
        "size": "test_record_beyond_limit_refuses_the_whole_import",
        "text": "test_warnings_stand_beside_faults",
        "time": NO_TIME,
        "actor": NO_ACTOR,
        "dice": "cannot: the table rolled the dice of a record",
        "secrets": "cannot: a record holds what is revealed, and names no match of the book",
        "unknown game": "test_invalid_records_have_a_code",
    },
    "link": dict.fromkeys(CHECKS, "as text record"),
    "import page": {
        "who may": "as merge",
        "size": "as text record",
        "text": "as text record",
        "time": "as merge",
        "actor": "as merge",
        "dice": "as merge",
        "secrets": "as merge",
        "unknown game": "as text record",
    },
    "tab hand-over": dict.fromkeys(CHECKS, "as merge"),
    "MCP": dict.fromkeys(CHECKS, "as HTTP")
    | {
        "secrets": "test_other_seats_answers_reveal_no_secret",
        "size": "test_http_serves_a_book",
    },
    "command line": {
        "who may": "cannot: whoever may write the file may do everything",
        "size": "test_record_beyond_limits_is_refused_with_place",
        "text": "test_hidden_characters_are_visible_in_a_terminal",
        "time": "as merge",
        "actor": "as merge",
        "dice": "as merge",
        "secrets": "as archive",
        "unknown game": "test_unknown_clause_or_game_is_usage_error",
    },
    "TOML": {
        "who may": "cannot: a sheet of one's own book, or of a folder that its owner names",
        "size": "test_deep_brackets_are_refused",
        "text": "test_score_sheet_refuses_hidden_signs",
        "time": "cannot: a sheet holds no events",
        "actor": "cannot: a sheet holds no events",
        "dice": "cannot: a sheet holds no events",
        "secrets": "cannot: a sheet has no secret moves",
        "unknown game": "cannot: a sheet is a game of its own",
    },
}


@cache
def every_test() -> frozenset[str]:
    """Return the names of all tests."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    files = (*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("plugins/*/test_*.py"))
    trees = (ast.parse(file.read_bytes()) for file in files)
    return frozenset(
        node.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, kinds) and node.name.startswith("test_")
    )


@pytest.mark.parametrize("door", DOORS)
def test_door_has_a_cell_for_each_check(door):
    assert set(DOORS[door]) == set(CHECKS)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("door", DOORS)
def test_cell_names_a_test_or_a_reason(door, check):
    cell = DOORS[door][check]
    if cell.startswith("as "):
        other = cell.removeprefix("as ")
        assert LEADS[door, other] in every_test()
        assert not DOORS[other][check].startswith("as "), "one step is enough"
    elif cell.startswith("cannot: "):
        assert len(cell) > len("cannot: a reason")
    else:
        assert cell in every_test()
