/** Elements made in one expression; text is set as text, so that no data can become markup. */

import { prefix } from "./prefix.js";

/**
 * Make an element: `make("button", { class: "button", onclick }, "Undo")`.
 *
 * @type {<T extends keyof HTMLElementTagNameMap>(name: T, attributes?: Attributes, ...children: (Node | string | null | undefined)[]) => HTMLElementTagNameMap[T]}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Ask for a second tap on a button, so that nobody does it by accident.
 *
 * @type {(element: HTMLElement, then: () => unknown) => unknown}
 */
export function twice(element, then) {
  if (element.dataset.sure) return then();
  element.dataset.sure = "yes";
  element.textContent = `${element.textContent?.trim()}: sure?`;
}

/**
 * Make an element of a drawing.
 *
 * @type {<T extends keyof SVGElementTagNameMap>(name: T, attributes?: Record<string, string | number>, ...children: Node[]) => SVGElementTagNameMap[T]}
 */
export function makeSvg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Read the `translate(x, y)` of an element of a drawing; 0, 0 without one.
 *
 * @type {(element: Element) => [number, number]}
 */
export function translationOf(element) {
  const transform = element.getAttribute("transform") ?? "";
  const [, x = 0, y = 0] = /translate\(([-\d.]+)[ ,]+([-\d.]+)/.exec(transform) ?? [];
  return [Number(x), Number(y)];
}

/**
 * Make a button with an action.
 *
 * @type {(label: string, onclick: Attributes["onclick"], attributes?: Attributes) => HTMLButtonElement}
 */
export function button(label, onclick, attributes = {}) {
  return make("button", { type: "button", class: "button quiet", onclick, ...attributes }, label);
}

/**
 * Make a link to a clause of the rules of a game; `null` for a text that is no clause.
 *
 * @type {(game: string, clause: string | null | undefined) => HTMLAnchorElement | null}
 */
export function clauseLink(game, clause) {
  if (!clause || !/^[A-Z]{2,5}-\d/.test(clause)) return null;
  return make("a", { class: "clause", href: `${prefix}/rules/${game}#${clause}` }, clause);
}

/**
 * Make the sign of a seat: its number on its colour.
 *
 * @type {(seat: number) => HTMLElement}
 */
export function chip(seat) {
  return make("b", { class: `chip pb-seat${seat}`, "aria-hidden": "true" }, String(seat));
}

/**
 * Find an element of the page that must be there.
 *
 * @type {<T extends HTMLElement = HTMLElement>(root: ParentNode, selector: string) => T}
 */
export function find(root, selector) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return /** @type {any} */ (found);
}

/**
 * Find all elements that a selector matches.
 *
 * @type {<T extends HTMLElement = HTMLElement>(root: ParentNode, selector: string) => T[]}
 */
export function findAll(root, selector) {
  return /** @type {any} */ ([...root.querySelectorAll(selector)]);
}

/**
 * Find the nearest element around an event that a selector matches.
 *
 * @type {(event: Event, selector: string) => HTMLElement | null}
 */
export function around({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * Do `work` when a form is sent. Templates draw the buttons of such a form with `disabled` and
 * `data-early`: whoever taps before the script is there would be taken to an address with the
 * form's fields instead.
 *
 * @type {(form: HTMLElement, work: (event: SubmitEvent) => unknown) => void}
 */
export function onSubmit(form, work) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    work(event);
  });
  for (const early of findAll(form, "[data-early]")) {
    for (const name of ["disabled", "data-early"]) early.removeAttribute(name);
  }
}

/**
 * Show a sentence in a notice of the page, or hide the notice.
 *
 * @type {(notice: HTMLElement, words: string | null) => void}
 */
export function notify(notice, words) {
  notice.hidden = words === null;
  notice.textContent = words;
  if (words !== null) notice.scrollIntoView({ block: "nearest" });
}

/**
 * Return a function that does some work and shows in a notice why it failed.
 *
 * @type {(notice: HTMLElement) => (work: () => Promise<unknown>) => Promise<void>}
 */
export function reporting(notice) {
  return async (work) => {
    notice.hidden = true;
    try {
      await work();
    } catch (error) {
      notify(notice, /** @type {Error} */ (error).message);
    }
  };
}

/**
 * Find the parts of a page by their `data-part`.
 *
 * @type {(root: ParentNode) => Record<string, HTMLElement>}
 */
export function partsOf(root) {
  return Object.fromEntries(findAll(root, "[data-part]").map((part) => [part.dataset.part, part]));
}
