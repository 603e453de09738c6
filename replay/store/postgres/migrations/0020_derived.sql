-- From here on the triggers of derived data are those of `derived.py`.
DROP FUNCTION IF EXISTS number_fact, number_visibility, number_change_of_fact, number_trash,
    number_purge, number_account, add_tallies, tally_match, recount, recount_of_row, recount_trashed,
    note_index, note_texts, note_loss, tally_moves, count_position, recount_moves,
    recount_trashed_moves, recount_shown_moves CASCADE;
