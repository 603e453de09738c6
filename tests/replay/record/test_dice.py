"""Dice of the service: derived from the seed, kept secret, and verified."""

from __future__ import annotations

import hashlib
import hmac
import io
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from domain.entry.move_text import legal_texts, read
from domain.events import Adjusted, Moved, Resigned
from domain.games.blockade import GAME as BLOCKADE
from domain.games.blockade.moves import Roll as TwoDice
from domain.games.poptrix import GAME as POPTRIX
from domain.log_edits import SeedRevealed
from domain.match import open_match as opened_match
from replay import registry
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections import adjustments, takebacks
from replay.corrections.amendments import amend, plan_deletion, plan_insertion, plan_replacement
from replay.corrections.takebacks import take_back
from replay.errors import Refused, Usage
from replay.formats.archive.importer import import_archive
from replay.formats.archive.writer import write_archive
from replay.reading import hints, timeline
from replay.record import dice
from replay.record.addresses import Address
from replay.record.match_creation import NewMatch
from replay.record.match_record import Header, MatchRecord
from replay.referee import entering
from replay.referee.entering import RollRequest, dry_run, judge, play
from replay.referee.opening import open_match
from replay.referee.verification import Verified, verify_match
from replay.store import open_store, temporary_store
from replay.store.types import Creation, NewStream, Stream
from tests.conformance import door
from tests.conformance.subjects import GAMES, SITE
from tests.paths import ROOT

seeds = st.binary(min_size=32, max_size=32)
ORDINALS = st.integers(1, 10_000)


@pytest.fixture
def match(book: Book) -> MatchRecord:
    return open_match(book, BLOCKADE, dice="service")


def refusal(book: Book, record: MatchRecord, *entries: entering.Entry) -> tuple[str, str, int]:
    with pytest.raises(Refused) as refused:
        play(book, record, entries)
    violation = refused.value.violation
    return violation.clause, violation.message, refused.value.index


def verdict(book: Book, record: MatchRecord) -> Verified:
    return verify_match(book, book.store.stream(record.stream.id))


def told(record: MatchRecord) -> list[str | None]:
    return [entry.text for entry in timeline.entries(record)]


def rolls(book: Book, record: MatchRecord, count: int) -> MatchRecord:
    """Play `count` turns."""
    for _ in range(count):
        record = play(book, play(book, record, ["roll"]), ["."])
    return record


# Derived from a seed


@given(seeds, st.text(max_size=20), ORDINALS, st.integers(2, 300) | st.integers(2, 2**32))
def test_die_follows_from_seed_match_and_ordinal(seed, match, ordinal, sides):
    first, second = (dice.die(seed, match, ordinal) for _ in range(2))
    thrown = [first(sides) for _ in range(20)]
    assert thrown == [second(sides) for _ in range(20)]
    assert all(1 <= number <= sides for number in thrown)


@pytest.mark.parametrize("sides", [0, -1, 2**32 + 1])
def test_die_with_impossible_number_of_sides_is_refused(sides):
    with pytest.raises(ValueError, match="a die must have 1 to 4294967296 sides"):
        dice.die(b"", "", 1)(sides)


@given(seeds, ORDINALS, st.none() | st.integers(0, 9))
def test_documented_formula_gives_the_die(seed, ordinal, seat):
    def framed(*fields: bytes) -> bytes:
        return b"".join(len(field).to_bytes(8, "big") + field for field in fields)

    def byte(counter: int) -> int:
        given = (ordinal, counter) if seat is None else (seat, ordinal, counter)
        numbers = [number.to_bytes(8, "big") for number in given]
        message = framed(b"k7m2c4x9q0ab", *numbers)
        return hmac.new(seed, message, hashlib.sha256).digest()[0]

    good = [value % 6 + 1 for value in map(byte, range(60)) if value < 252]
    cast = dice.die(seed, "k7m2c4x9q0ab", ordinal, seat)
    assert [cast(6) for _ in range(40)] == good[:40]
    told = hashlib.sha256(framed(b"plybook dice/1", seed)).hexdigest()
    assert dice.commitment(seed) == told


def test_bytes_beyond_the_last_whole_run_are_skipped(monkeypatch):
    # Every byte once: a plain remainder would prefer low numbers.
    stream = iter(bytes(range(256)))
    monkeypatch.setattr(dice.hmac, "digest", lambda *_: bytes([next(stream)]))
    cast = dice.die(b"", "", 1)
    counted = Counter(cast(100) for _ in range(200))
    assert counted == dict.fromkeys(range(1, 101), 2)
    with pytest.raises(StopIteration):
        cast(100)


@given(seeds, ORDINALS)
def test_dice_differ_by_roll_seed_and_match(seed, ordinal):
    def twenty(seed: bytes, match: str, ordinal: int) -> list[int]:
        cast = dice.die(seed, match, ordinal)
        return [cast(6) for _ in range(40)]

    here = twenty(seed, "abcd", ordinal)
    assert here != twenty(seed, "abcd", ordinal + 1)
    assert here != twenty(seed, "abce", ordinal)
    assert here != twenty(bytes([seed[0] ^ 1]) + seed[1:], "abcd", ordinal)


# Opening


def test_match_commits_to_a_secret_seed(book, match):
    seed = book.store.private_value(match.stream.id, dice.HELD)
    assert len(seed) == dice.SEED_BYTES
    assert match.header.dice == "service"
    assert match.header.commitment == dice.commitment(seed)
    match = rolls(book, match, 3)
    everything = [match.stream.header, write_archive(book, match), msgspec.json.encode(match.log)]
    everything += [msgspec.json.encode([*timeline.log(match), book.facts(match)])]
    for text in everything:
        assert seed not in text
        assert seed.hex().encode() not in text


def test_two_matches_have_two_seeds(book, match):
    other = open_match(book, BLOCKADE, dice="service")
    assert match.header.commitment != other.header.commitment


def test_game_without_dice_has_no_service_dice(book):
    with pytest.raises(Usage, match="Poptrix has no dice"):
        open_match(book, POPTRIX, dice="service")
    assert list(book.matches()) == []


def test_older_header_means_table_dice():
    old = b'{"id":"abcd","rules":"blockade/1","seats":2,"options":{},"created":5}'
    header = msgspec.json.decode(old, type=Header)
    assert (header.dice, header.commitment, header.clock) == ("table", None, None)
    assert msgspec.json.encode(header) == old


# Rolling


@pytest.mark.parametrize("asked", ["roll", "1:roll", RollRequest(), RollRequest(1)])
def test_roll_is_entered_without_values(book, match, asked):
    after = play(book, match, [asked])
    event = after.match.line[-1].event
    right = TwoDice.roll(BLOCKADE.start(), dice.die(book.seed(match), match.id, 1, 1))
    assert event == Moved(1, right)


@pytest.mark.parametrize(
    ("asked", "clause", "words"),
    [
        (["roll=4,5"], "dice", "enter roll"),
        (["1:roll=4,5"], "dice", "enter roll"),
        ([Moved(1, TwoDice((4, 5)))], "dice", "enter roll"),
        ([SeedRevealed("0" * 64)], "dice", "revealed by the service"),
        (
            ["2:roll"],
            "turn",
            "this is not the time for a roll by seat 2: seat 1 is to roll the dice",
        ),
        ([RollRequest(7)], "turn", "this is not the time for a roll"),
        (["roll", "."], "dice", "a roll must be the last"),
        (["rolls"], "form", "is not a move"),
        (["x:roll"], "form", "is not a move"),
    ],
)
def test_invalid_events_are_refused_with_service_dice(book, match, asked, clause, words):
    found, message, _ = refusal(book, match, *asked)
    assert found == clause
    assert words in message
    assert book.open(match.id).match.version == 0


@pytest.mark.parametrize("more", [".", "a1-a1", "roll", "nonsense"])
def test_event_after_a_roll_is_refused_without_values(book, match, more):
    with pytest.raises(Refused) as refused:
        play(book, match, ["1:offer-draw", "roll", more])
    assert refused.value.index == 2
    assert refused.value.violation == entering.UNSEEN
    assert refused.value.match.state.position.dice is None
    assert book.open(match.id).match.version == 0


def test_rolled_or_ended_match_awaits_no_roll(book, match):
    rolled = play(book, match, ["roll"])
    assert refusal(book, rolled, "roll")[0] == "turn"
    assert refusal(book, play(book, rolled, ["1:resign"]), "roll")[0] == "over"


@pytest.mark.parametrize("asked", ["roll", "1:roll", RollRequest(1)])
def test_dice_of_the_table_are_entered_with_values(book, asked):
    match = open_match(book, BLOCKADE)
    clause, message, _ = refusal(book, match, asked)
    assert clause == "form"
    assert "like roll=4,5" in message
    assert told(play(book, match, ["roll=4,5"])) == ["roll=4,5"]


def test_roll_is_no_token_in_a_diceless_game(book):
    assert refusal(book, book.create(NewMatch(POPTRIX)), "roll")[0] == "form"


def test_legal_events_can_be_entered(book, match):
    listed = hints.legal_texts(match, match.match)
    assert listed == ["roll"]
    rolled = play(book, match, listed)
    assert hints.legal_texts(rolled, rolled.match) == legal_texts(BLOCKADE, rolled.state)
    table = open_match(book, BLOCKADE)
    assert "roll=6,6" in hints.legal_texts(table, table.match)


@given(st.integers(0, 5), st.integers(0, 5))
def test_takeback_does_not_roll_again(turns, back):
    book = Book(temporary_store())
    match = rolls(book, open_match(book, BLOCKADE, dice="service"), turns + 1)
    before = told(match)
    ply = 2 * min(turns, back)
    match = rolls(book, take_back(book, match, ply), turns + 1 - ply // 2)
    assert told(match) == before
    assert verdict(book, match).ok


def test_dry_run_neither_rolls_nor_reveals(book, match):
    with pytest.raises(Refused, match="a dry run does not roll the dice") as refused:
        dry_run(book, match, ["roll"])
    assert refused.value.violation.clause == "dice"
    with pytest.raises(Refused, match="seat 1 is to roll"):
        dry_run(book, match, ["2:roll"])
    tried = dry_run(book, match, ["1:resign"])
    assert tried.match.state.outcome
    assert tried.events == (Resigned(1),)
    assert tried.match.seed is None


# The end


@pytest.mark.parametrize("ending", [["1:resign"], ["ruled=="], ["1:offer-draw", "2:accept-draw"]])
def test_ending_event_reveals_the_seed(book, match, ending):
    match = rolls(book, match, 2)
    over = play(book, match, ending)
    assert over.match.version == match.match.version + len(ending) + 1
    assert over.match.seed == book.seed(match).hex()
    assert [stored.type for stored in over.log].count("seed revealed") == 1
    assert over.log[-1].at == over.log[-2].at
    assert dice.commitment(bytes.fromhex(over.match.seed)) == over.header.commitment
    assert told(over) == told(match) + ending
    assert [*timeline.log(over)][-1].what == f"the seed of the dice is revealed: {over.match.seed}"


def test_retry_of_the_ending_event_is_the_same(book, match):
    judged = judge(book, match, ["1:resign"])
    key = b"k" * 16
    first = entering.append(book, match, judged, ids=[key]).result()
    again = entering.append(book, match, judged, ids=[key]).result()
    assert again.repeated
    assert again.versions == first.versions == (1, 2)


def test_service_does_not_roll_with_a_revealed_seed(book, match):
    match = play(book, play(book, match, ["roll"]), ["1:resign"])
    back = take_back(book, match, 0)
    assert refusal(book, back, "roll") == ("dice", dice.REVEALED.message, 0)
    assert refusal(book, back, "roll=1,1")[0] == "dice"
    assert hints.legal_texts(back, back.match) == []
    again = play(book, back, ["1:resign"])
    assert [stored.type for stored in again.log].count("seed revealed") == 1
    assert verdict(book, again).ok


def test_adjustment_that_ends_the_match_reveals_the_seed(book, match):
    start = adjustments.write_position_at(match, 0)
    over = play(book, match, ["1:resign"])
    assert play(book, take_back(book, over, 0), [Adjusted(start, "x")]).match.seed
    other = open_match(book, BLOCKADE, dice="service")
    assert adjustments.adjust(book, other, start, "the cat").match.seed is None


# Corrections


@pytest.fixture
def turns(book: Book, match: MatchRecord) -> MatchRecord:
    """Three turns, each a roll and its end."""
    return rolls(book, match, 3)


@pytest.mark.parametrize(
    "correction",
    [
        lambda match: plan_replacement(match, 1, "roll=1,1"),
        lambda match: plan_replacement(match, 1, "roll"),
        lambda match: plan_insertion(match, 7, "roll=1,1"),
        lambda match: plan_insertion(match, 7, "roll"),
    ],
)
def test_amendment_cannot_insert_a_roll(turns, correction):
    with pytest.raises(Refused) as refused:
        correction(turns)
    assert refused.value.violation.clause == "dice"


def test_roll_cannot_be_inserted_into_an_empty_match(match):
    with pytest.raises(Refused) as refused:
        plan_insertion(match, 1, "roll=1,1")
    assert refused.value.violation.clause == "dice"


@pytest.fixture
def auction() -> Iterator[tuple[Book, MatchRecord]]:
    """A match of the plug-in game with dice of the service."""
    with door.opened(SITE):
        book = Book(temporary_store())
        yield book, open_match(book, GAMES["hidden-bid"], seats=2, dice="service")


def test_amendment_that_renumbers_later_rolls_is_refused(book, turns):
    position = adjustments.write_position_at(open_match(book, BLOCKADE), 0)
    match = adjustments.adjust(book, play(book, turns, ["roll"]), position, "begun again")
    # Events after an adjustment do not depend on earlier ones, so they stay legal.
    match = rolls(book, match, 1)
    with pytest.raises(Refused, match="later ones would change") as refused:
        plan_deletion(match, 7)
    assert refused.value.violation.clause == "dice"
    assert verdict(book, amend(book, plan_insertion(match, 7, "1:offer-draw"))).ok


def test_amendments_that_keep_the_rolls_verify(book, turns):
    amended = amend(book, plan_insertion(turns, 3, "1:offer-draw"))
    assert told(amended)[3:] == told(turns)[2:]
    assert verdict(book, amended).ok
    shorter = amend(book, plan_deletion(amended, len(amended.match.line)))
    shorter = amend(book, plan_deletion(shorter, len(shorter.match.line)))
    again = play(book, shorter, ["roll"])
    assert told(again)[-1] == told(turns)[-2]
    assert verdict(book, again).ok


def test_broken_line_lists_its_legal_events(turns):
    first = plan_deletion(turns, 2).report().first
    assert first.clause == "turn"
    assert "roll" not in first.legal
    assert plan_deletion(turns, 1).report().first.legal == ("roll",)


def test_plug_in_rolls_and_verifies(auction):
    book, match = auction
    rolled: list[int | None] = []
    for _ in range(3):
        seat = match.state.in_turn
        rolled.append(seat)
        match = play(book, match, [f"{seat}:roll"])
        pips = dice.die(book.seed(match), match.id, rolled.count(seat), seat)(6)
        assert match.state.position.table.prize == pips
        match = play(book, match, ["1:bid=1", "2:bid=2"])
    assert match.state.outcome
    assert match.match.seed
    assert verdict(book, match).ok


WHIST = ROOT / "plugins" / "whist"
HEARTS = ROOT / "plugins" / "hearts"


@pytest.mark.parametrize("folder", [WHIST, HEARTS], ids=["whist", "hearts"])
def test_dealt_hand_goes_to_no_other_seat_after_a_take_back(book, folder, tmp_path):
    def hand(match: MatchRecord, seat: int) -> set[str]:
        event = play(book, match, [f"{seat}:roll"]).match.line[-1].event
        return set(astuple(event.move))

    door.install(folder, tmp_path)
    with door.opened(tmp_path):
        match = open_match(book, registry.find(folder.name), seats=4, dice="service")
        dealt = {}
        for seat in range(1, 5):
            dealt[seat] = hand(match, seat)
            match = take_back(book, book.open(match.id), 0)
        assert len({*map(frozenset, dealt.values())}) == 4
        assert hand(match, 3) == dealt[3]
        assert verdict(book, book.open(match.id)).ok


def test_match_of_the_first_derivation_goes_on_as_it_began():
    book, stream = forged(right(1), ".", right(2))
    held = book.store.private_value(stream.id, "other")
    match = book.read(stream)
    assert b"derivation" not in stream.header
    assert dice.rolled(held, match.header, match.match, 1, TwoDice).move == TwoDice.roll(
        match.state.position, dice.die(SEED, "abcdefgh", 3)
    )
    assert b'"derivation":2' in open_match(book, BLOCKADE, dice="service").stream.header
    assert b"derivation" not in open_match(book, BLOCKADE).stream.header


# Forks


def test_fork_for_play_has_its_own_seed(book, turns):
    other = fork(book, *book.at(Address(turns.id, 2)), "match")
    assert other.header.dice == "service"
    assert other.header.commitment not in (None, turns.header.commitment)
    assert other.header.commitment == dice.commitment(book.seed(other))
    played = play(book, other, ["roll"])
    right = TwoDice.roll(BLOCKADE.start(), dice.die(book.seed(other), other.id, 1, 2))
    assert played.match.line[-1].event == Moved(2, right)
    assert verdict(book, played).ok
    over = play(book, played, ["1:resign"])
    assert over.match.seed == book.seed(other).hex()
    assert verdict(book, over).ok
    assert book.open(turns.id).match.seed is None


def test_variation_has_dice_of_the_table(book, turns):
    variation = fork(book, *book.at(Address(turns.id, 2)))
    assert (variation.header.dice, variation.header.commitment) == ("table", None)
    assert book.seed(variation) is None
    assert verdict(book, play(book, variation, ["roll=6,6"])).ok


def test_fork_does_not_inherit_the_parents_seed(book, turns):
    over = play(book, turns, ["1:resign"])
    longer = takebacks.take_back(book, over, 4)
    other = fork(book, *book.at(Address(longer.id, 4)), "match")
    assert other.match.seed is None
    rolled = play(book, other, ["roll"])
    assert verdict(book, rolled).ok
    assert play(book, rolled, ["2:resign"]).match.seed == book.seed(other).hex()


# Verifying

SEED = bytes(range(32))


def forged(
    *tokens: str, revealed: bytes | None = None, **header: str | None
) -> tuple[Book, Stream]:
    """Return a match whose log was written without the referee; its seed is `SEED`."""
    book = Book(temporary_store())
    fields = {"dice": "service", "commitment": dice.commitment(SEED)} | header
    told = Header("abcdefgh", BLOCKADE.ruleset, 2, {}, 1, **fields)
    match, events = opened_match(BLOCKADE), []
    for token in tokens:
        event = read(BLOCKADE, match.state, token)
        events.append(book.encode(BLOCKADE, event, "x"))
        match = match.evolve(event)
    if revealed is not None:
        events.append(book.encode(BLOCKADE, SeedRevealed(revealed.hex()), "x"))
    new = NewStream(told.id, msgspec.json.encode(told))
    (made,) = book.store.create_all([Creation(new, events, held={"other": SEED})]).result()
    return book, made


def right(ordinal: int) -> str:
    """Return the text of the roll that follows from the seed."""
    return BLOCKADE.write(TwoDice.roll(BLOCKADE.start(), dice.die(SEED, "abcdefgh", ordinal)))


def wrong(ordinal: int) -> str:
    return "roll=1,2" if right(ordinal) != "roll=1,2" else "roll=2,1"


def test_roll_that_contradicts_the_seed_is_found():
    good = forged(right(1), ".", right(2), "1:resign", revealed=SEED)
    assert verify_match(*good).ok
    bad = verify_match(*forged(right(1), ".", wrong(2), "1:resign", revealed=SEED))
    assert (bad.ok, bad.version) == (False, 3)
    assert f"{wrong(2)} should be {right(2)}" in bad.fault


@pytest.mark.parametrize(
    ("tokens", "facts", "version", "words"),
    [
        (["1:resign"], {"revealed": bytes(32)}, 2, "does not match its commitment"),
        ([right(1)], {"revealed": SEED}, 2, "when the match has ended"),
        ([right(1)], {"commitment": None}, 0, "commits to no seed"),
        (["roll=1,1", "1:resign"], {"revealed": SEED, "dice": "table", "commitment": None}, 3,
         "does not match its commitment"),
    ],
)  # fmt: skip
def test_verification_finds_faults_of_a_seed(tokens, facts, version, words):
    found = verify_match(*forged(*tokens, **facts))
    assert (found.ok, found.version) == (False, version)
    assert words in found.fault


def test_seed_that_contradicts_its_commitment_is_found(book, match, monkeypatch):
    monkeypatch.setattr(book.store, "private_value", lambda stream, name: bytes(32))
    found = verdict(book, match)
    assert (found.ok, found.version) == (False, 0)
    assert "does not match its commitment" in found.fault


def test_dice_of_an_unknown_seed_are_noted():
    found = verify_match(*forged(wrong(1)))
    assert found.ok
    assert "cannot be recomputed" in found.note
    assert found.note in found.words()
    assert verify_match(*forged()).note is None


def test_stored_seed_is_enough_to_verify(book, turns):
    assert (verdict(book, turns).ok, verdict(book, turns).note) == (True, None)


def carried(book: Book, record: MatchRecord) -> tuple[Book, MatchRecord]:
    """Return a match as imported into another book from an archive."""
    other = Book(temporary_store())
    import_archive(other, io.BytesIO(write_archive(book, record)))
    return other, other.open(record.id)


def test_archive_carries_no_secret_seed(book, turns):
    other, copy = carried(book, turns)
    assert copy.header == turns.header
    assert other.seed(copy) is None
    assert "cannot be recomputed" in verdict(other, copy).note
    assert refusal(other, copy, "roll") == ("dice", dice.NOT_HERE.message, 0)
    assert play(other, copy, ["1:resign"]).match.seed is None
    over = play(book, turns, ["1:resign"])
    import_archive(fresh := Book(temporary_store()), io.BytesIO(write_archive(book, over)))
    again = fresh.open(over.id)
    assert again.match.seed == over.match.seed
    assert (verdict(fresh, again).ok, verdict(fresh, again).note) == (True, None)


def test_fork_of_a_copy_has_its_own_seed(book, turns):
    other, copy = carried(book, turns)
    forked = play(other, fork(other, *other.at(Address(copy.id, 6)), "match"), ["roll"])
    assert verdict(other, forked).note is None
    assert verdict(other, forked).ok


def test_database_keeps_the_seed(opened, tmp_path):
    store = open_store(tmp_path / "book.db")
    match = play(Book(store), open_match(Book(store), BLOCKADE, dice="service"), ["roll"])
    store.close()
    store = opened(tmp_path / "book.db")
    book = Book(store)
    assert told(rolls(book, take_back(book, book.open(match.id), 0), 1))[:1] == told(match)
    assert verdict(book, match).ok


def test_game_without_dice_refuses_a_roll_request(book):
    match = open_match(book, POPTRIX)
    assert refusal(book, match, RollRequest(1)) == ("form", "Poptrix is played without dice", 0)
