/** The part of a form that gives a player a colour and a picture on this device. */

import { button, make, notify } from "../shared/elements.js";
import { COLOURS, draw, portraitOf, pictureFrom, rememberPortrait } from "../shared/portraits.js";

/**
 * Return the part, and a function that stores the chosen portrait for a name.
 *
 * @type {(name: string) => { part: HTMLElement, keep: (name: string) => void }}
 */
export function portraitForm(name) {
  let portrait = portraitOf(name);
  let changed = false;
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true });
  const shown = make("span", { class: "seen-portrait" });
  const file = make("input", { type: "file", accept: "image/*", class: "unseen", tabindex: "-1", "aria-label": "A picture" });
  const away = button("No portrait", () => change(null));
  /** @type {(to: import("../shared/portraits.js").Portrait | null) => void} */
  const change = (to) => {
    portrait = to;
    changed = true;
    show();
  };
  const colours = Array.from({ length: COLOURS }, (_, index) =>
    make("button", {
      type: "button", class: `portrait portrait-${index + 1}`, "aria-label": `Colour ${index + 1}`, "data-colour": index + 1,
      onclick: () => change({ ...portrait, colour: index + 1 }),
    }));
  const show = () => {
    shown.replaceChildren(...(portrait ? [draw(name || "?", portrait)] : []));
    away.hidden = !portrait;
    for (const each of colours) each.setAttribute("aria-pressed", String(each.dataset.colour === String(portrait?.colour)));
  };
  file.addEventListener("change", async () => {
    const [picked] = file.files ?? [];
    if (!picked) return;
    try {
      const picture = await pictureFrom(picked);
      notify(trouble, null);
      change({ colour: portrait?.colour ?? 1, picture });
    } catch {
      notify(trouble, "This is not a picture that this browser can read; use a photo or a drawing.");
    }
  });
  show();
  const part = make(
    "fieldset",
    { class: "portrait-form" },
    make("legend", {}, "Colour and picture"),
    make("div", { class: "row" }, ...colours),
    make("div", { class: "row" }, shown, button("Picture …", () => file.click()), file, away),
    make("p", { class: "hint" }, "They stay on this device."),
    trouble,
  );
  return { part, keep: (to) => changed && to && rememberPortrait(to, portrait) };
}
