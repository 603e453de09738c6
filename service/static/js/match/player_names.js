/** Writing a player's name while the match goes on: tap the name, then one of the last names here. */

import { rememberedNames, rememberNames } from "../shared/device_memory.js";
import { button, make, notify, onSubmit } from "../shared/elements.js";
import { HttpError, patch } from "../shared/http.js";
import { openModal } from "../shared/modal.js";
import { nameOf, sentence } from "../shared/words.js";
import { portraitForm } from "./portrait_form.js";

const MOST_CHIPS = 8;

/**
 * Ask for the name of a seat, and store it. `changed` is called when it is stored.
 *
 * @type {(controls: Controls, seat: number, changed: () => void) => void}
 */
export function askName({ match, names, seat: own, over, role }, seat, changed) {
  const known = names[seat] && names[seat] !== nameOf({}, seat) ? names[seat] : "";
  const input = make("input", { id: "player-name", name: "name", value: known, autocomplete: "off", enterkeyhint: "done" });
  const reason = make("input", { id: "player-reason", name: "reason", autocomplete: "off" });
  const portrait = portraitForm(known);
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true });
  /** @type {(name: string) => Promise<void>} */
  const store = async (name) => {
    try {
      await patch(`/matches/${match}/people`, { players: { [seat]: name.trim() }, reason: reason.value });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return notify(trouble, sentence(error.message));
    }
    if (name.trim()) rememberNames([name.trim()]);
    if (name === input.value) portrait.keep(name.trim());
    dialog.close();
    changed();
  };
  const taken = new Set(Object.values(names));
  const chips = rememberedNames().filter((name) => !taken.has(name)).slice(0, MOST_CHIPS);
  const form = make(
    "form",
    { class: "stack" },
    chips.length ? make("div", { class: "row" }, ...chips.map((name) => button(name, () => store(name), { "data-known": name }))) : null,
    make("label", { for: input.id }, own === seat ? "Your name" : `The name of player ${seat}`),
    input,
    over && role === "host" ? make("label", { for: reason.id }, "Why it changes after the end") : null,
    over && role === "host" ? reason : null,
    portrait.part,
    trouble,
    make("div", { class: "row" }, make("button", { class: "button" }, "Save"), button("Cancel", () => dialog.close())),
  );
  onSubmit(form, () => {
    store(input.value);
  });
  /** @type {HTMLDialogElement} */
  const dialog = make("dialog", { class: "sheet", "aria-label": "A player's name" }, form);
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  openModal(dialog);
  if (!chips.length) input.select();
}
