/**
 * "That was written down wrongly": the move as it really was is entered on the board as it stood
 * then; before anything is done, what no longer stands is told.
 */

import { mark, settle } from "./board.js";
import { isPlace, left, meant, openings, tapped } from "./choosing.js";
import { check } from "./consequences.js";
import { attempt, dialog, ending, field } from "./dialogs.js";
import { button, make } from "./elements.js";
import { dataOf, entryAt, swap } from "./frames.js";
import { deedOf } from "./telling.js";
import { nameOf, pieceWord, told } from "./words.js";

const FEW = 4;

/** Ask what was wrong about the move that is shown. */
export function correcting(reading) {
  const { element } = reading.player.here;
  const place = { match: element.dataset.match, ply: Number(element.dataset.ply) };
  const deed = deedOf(element);
  const go = (how, ply) => () => (opened.close(), entering(reading, { ...place, ply, how }));
  const ways = place.ply
    ? [
        way("Another move was played", "Enter the one that was; it takes the place of this.", go("replaced", place.ply)),
        way("A move is missing before it", "Enter the one that was forgotten.", go("inserted", place.ply)),
        way("This was never played", "Take it out.", () => (opened.close(), check(reading, { ...place, how: "deleted" }))),
      ]
    : [way("A first move is missing", "Enter the one that was forgotten.", go("inserted", 1))];
  const opened = dialog(
    place.ply ? `Wrong: move ${place.ply}, ${deed}` : "Wrong: the start",
    make("p", { class: "hint" }, "Was it another one? Cancel, and tap that one in the list of moves first."),
    make("div", { class: "choices" }, ...ways),
    make(
      "p",
      { class: "hint" },
      "Was it played like this, though against the rules, and stands? ",
      make("a", { href: `/m/${place.match}/adjust` }, "Adjust the position"),
      ".",
    ),
    ending(() => opened.close()),
  );
}

function way(words, hint, onclick) {
  const said = make("span", {}, make("b", {}, words), make("small", { class: "soft" }, hint));
  return make("button", { type: "button", class: "choice", onclick }, said);
}

/** Show the board before the move, and let the right one be tapped, or what came after it. */
async function entering(reading, { tokens = [], words = [], ...change }) {
  const { stage, root } = reading;
  const panel = make("div", { class: "panel" });
  let frame;
  const fetched = await attempt(reading.desk, root.dataset.game, async () => {
    frame = await entryAt(change.match, change.ply - 1, tokens);
  });
  if (!fetched) return;
  const doing = dataOf(frame, "doing");
  const choices = doing.seats.flatMap(({ seat, choices }) => choices.map((each) => ({ seat, ...each })));
  let picks = [];

  const draw = () => {
    const found = left(choices, picks);
    const next = [...openings(found).values()].flatMap((texts) => [...texts]);
    const [places, supplies] = [next.filter(isPlace), next.filter((text) => !isPlace(text))];
    const [open, target] = picks.length ? [supplies, places] : [next, []];
    const signs = { chosen: new Set(picks), open: new Set(open), target: new Set(target) };
    mark(frame, signs, found[0]?.choice.seat);
    rest.replaceChildren(...offers(found, frame, next), cancel);
    ask.textContent = !picks.length ? begin : places.length ? "Now tap where it goes." : "And which of these?";
  };
  const offers = (found, board, next) => {
    const onBoard = new Set([...board.querySelectorAll(".pb-cell")].map(({ dataset }) => dataset.at));
    const others = next.filter((text) => !onBoard.has(text));
    // Where only a size or a colour is wanting the board says the rest.
    const wanting = picks.length > 0 && others.length === found.length;
    const listed = found.length <= FEW && !wanting
      ? found.map(({ choice }) => button(said(choice), () => chosen(choice.token, said(choice))))
      : others.map((text) => button(pieceWord(text), () => tap(text)));
    return listed;
  };
  const said = (choice) => `${told(choice, doing)}${doing.seats.length > 1 ? ` (${nameOf(doing.names, choice.seat)})` : ""}`;
  const chosen = (written, deed = written) => {
    const all = { ...change, tokens: [...tokens, ...written.split(/\s+/)], words: [...words, deed] };
    return check(reading, all, () => entering(reading, all));
  };
  const tap = (text) => {
    const now = tapped(choices, picks, text);
    if (!now) return nothing(text);
    problem.textContent = "";
    picks = now;
    const one = meant(left(choices, picks));
    draw();
    if (one) chosen(one.token, said(one));
  };
  const nothing = (text) => {
    problem.textContent = `No move by the rules goes with ${[...picks, text].join(", ")} here.`;
    picks = [];
    draw();
    mark(frame, { refused: new Set([text]) });
  };

  const cancel = button("Cancel", () => (reading.end(), reading.player.refresh()), { class: "button bare" });
  const rest = make("div", { class: "row" });
  const problem = make("p", { class: "hint", role: "status" });
  const typed = make("input", { autocapitalize: "off", autocomplete: "off", spellcheck: "false", maxlength: 400 });
  const typing = make("form", { class: "row typed" }, field("The move, as in the list; or several", typed), make("button", { class: "button quiet" }, "Enter"));
  typing.addEventListener("submit", (event) => {
    event.preventDefault();
    if (typed.value.trim()) chosen(typed.value.trim());
  });
  const who = doing.seats.map(({ seat }) => nameOf(doing.names, seat)).join(" or ");
  const begin = who ? `Tap it on the board, for ${who}.` : "Nobody is awaited here.";
  const ask = make("p", { class: "hint", role: "status" }, begin);
  panel.append(
    make("h2", { tabindex: "-1" }, `Move ${change.ply + tokens.length} was really …`),
    ask,
    rest,
    problem,
    make("details", { open: !choices.length }, make("summary", {}, "Write it instead"), typing),
  );
  reading.begin("correcting", panel, { tap });
  swap(stage, frame);
  settle(frame);
  draw();
  panel.querySelector("h2").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}
