/** Elements made in one expression; text is set as text, so nothing that is told can be markup. */

/** Make an element: `make("button", { class: "button", onclick }, "Undo")`. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A button that does something. */
export function button(label, onclick, attributes = {}) {
  return make("button", { type: "button", class: "button quiet", onclick, ...attributes }, label);
}

/** A link to a clause of the rules of a game; nothing for what is no clause. */
export function clauseLink(game, clause) {
  if (!/^[A-Z]{3}-\d/.test(clause ?? "")) return null;
  return make("a", { class: "clause", href: `/rules/${game}#${clause}` }, clause);
}

/** The sign of a seat: its number on its colour. */
export function chip(seat) {
  return make("b", { class: `chip pb-seat${seat}`, "aria-hidden": "true" }, String(seat));
}
