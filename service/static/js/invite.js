/** The page of invitations: links are made, shown as a code, replaced and stopped. */

import { button, find, findAll, make, reporting, twice } from "./shared/elements.js";
import { shareButtons } from "./shared/link_sharing.js";
import { invitations, rememberInvitation } from "./shared/device_memory.js";
import { get, post, remove } from "./shared/http.js";
import { prefix } from "./shared/prefix.js";

const { match = "" } = find(document, "main").dataset;
const attempt = reporting(find(document, "[data-part=trouble]"));

/** @typedef {{ id: string, role?: string, seat?: number }} Key */

/** @type {(guest: HTMLElement, name: string) => HTMLElement} */
function part(guest, name) {
  return find(guest, `[data-part=${name}]`);
}

/** @type {(token: string) => string} */
function link(token) {
  return `${location.origin}${prefix}/join/${match}/${token}`;
}

/**
 * Tell whether a key belongs to a guest's link. Scorekeepers have keys of links made elsewhere too.
 *
 * @type {(guest: DOMStringMap, key: Key) => boolean}
 */
function isOf({ role, seat, whom = "" }, key) {
  if (role === "host") return key.id === invitations(match)[keyOf(whom)];
  return key.role === role && String(key.seat ?? "") === (seat ?? "");
}

/** @type {(whom: string) => string} */
function keyOf(whom) {
  return `${whom} key`;
}

/** @type {(guest: HTMLElement) => Promise<void>} */
async function stop(guest) {
  const { keys } = await get(`/matches/${match}/invitations`);
  await revoke(guest, keys.filter((/** @type {Key} */ key) => isOf(guest.dataset, key)).map((/** @type {Key} */ { id }) => id));
  const { whom = "" } = guest.dataset;
  rememberInvitation(match, whom, null);
  rememberInvitation(match, keyOf(whom), null);
}

/** @type {(guest: HTMLElement, keys: string[]) => Promise<void>} */
async function revoke(guest, keys) {
  for (const key of keys) await remove(`/matches/${match}/invitations/${key}`);
  guest.dataset.keys = keysOf(guest).filter((key) => !keys.includes(key)).join(" ");
}

/** @type {(guest: HTMLElement) => string[]} */
function keysOf(guest) {
  return (guest.dataset.keys ?? "").split(" ").filter(Boolean);
}

/** @type {(guest: HTMLElement) => Promise<void>} */
async function invite(guest) {
  const { role, seat, whom = "" } = guest.dataset;
  await stop(guest);
  const made = await post(`/matches/${match}/invitations`, seat ? { role, seat: Number(seat) } : { role });
  guest.dataset.keys = [...keysOf(guest), made.id].join(" ");
  rememberInvitation(match, whom, made.token);
  rememberInvitation(match, keyOf(whom), made.id);
  show(guest, "");
}

/** @type {(guest: HTMLElement, words: string) => void} */
function show(guest, words) {
  const token = invitations(match)[guest.dataset.whom ?? ""];
  const field = /** @type {HTMLInputElement} */ (find(guest, ".address"));
  const code = /** @type {HTMLImageElement} */ (part(guest, "qr"));
  /** @type {(words: string) => void} */
  const say = (words) => {
    part(guest, "state").textContent = words;
  };
  const fixed = code.getAttribute("src")?.endsWith("/code.svg");
  if (fixed) return part(guest, "ways").replaceChildren(...shareButtons(field, document.title, say));
  part(guest, "link").hidden = !token;
  say(words);
  if (guest.dataset.role === "host") showOthers(guest);
  if (token) {
    field.value = link(token);
    code.src = `${prefix}/m/${match}/code/${token}`;
    part(guest, "ways").replaceChildren(
      ...shareButtons(field, document.title, say),
      button("New link", () => attempt(() => invite(guest))),
      button("Stop this link", () => attempt(() => stop(guest).then(() => show(guest, "This link no longer works."))), {
        class: "button quiet danger",
      }),
    );
    return;
  }
  const invited = guest.dataset.role !== "host" && keysOf(guest).length > 0;
  if (invited && !words) say("There is a link already, made elsewhere. A new one stops it.");
  const fresh = button(invited ? "Make a new link" : "Make a link", () => attempt(() => invite(guest)), { class: "button" });
  part(guest, "ways").replaceChildren(fresh);
}

/**
 * Show that other devices already keep the score, through links that were made elsewhere.
 *
 * @type {(guest: HTMLElement) => void}
 */
function showOthers(guest) {
  const others = keysOf(guest).filter((key) => !isOf(guest.dataset, { id: key }));
  guest.querySelector("[data-part=others]")?.remove();
  if (!others.length) return;
  const stopAll = () => attempt(() => revoke(guest, others).then(() => show(guest, "No other device keeps the score now.")));
  const alone = button("Stop all others", ({ currentTarget }) => twice(currentTarget, stopAll), { class: "button bare danger" });
  const said = others.length > 1 ? `${others.length} other devices keep the score` : "Another device keeps the score";
  guest.append(make("div", { class: "others", "data-part": "others" }, make("p", { class: "soft" }, `${said}, by an invitation made elsewhere.`), alone));
}

// A link that is remembered here may have been stopped elsewhere: then its code cannot be drawn.
for (const guest of findAll(document, ".guest")) {
  part(guest, "qr").addEventListener("error", () => {
    rememberInvitation(match, guest.dataset.whom ?? "", null);
    show(guest, "");
  });
  show(guest, "");
}
