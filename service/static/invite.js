/** Invitations: made, shown as a code, made anew, stopped. What a link holds is told only once. */

import { button, make } from "./elements.js";
import { giving } from "./giving.js";
import { invitations, rememberInvitation } from "./kept.js";
import { get, post, remove } from "./requests.js";

const { match } = document.querySelector("main").dataset;
const trouble = document.querySelector("[data-part=trouble]");

function part(guest, name) {
  return guest.querySelector(`[data-part=${name}]`);
}

function link(token) {
  return `${location.origin}/join/${match}/${token}`;
}

async function trying(work) {
  trouble.hidden = true;
  try {
    await work();
  } catch (error) {
    trouble.textContent = error.message;
    trouble.hidden = false;
    trouble.scrollIntoView({ block: "nearest" });
  }
}

/** Whether a key is that of a guest's link. Scorekeepers bear keys too that were no link of here. */
function isOf({ role, seat, whom }, key) {
  if (role === "host") return key.id === invitations(match)[keyOf(whom)];
  return key.role === role && String(key.seat ?? "") === (seat ?? "");
}

function keyOf(whom) {
  return `${whom} key`;
}

async function stop(guest) {
  const { keys } = await get(`/matches/${match}/invitations`);
  await revoke(guest, keys.filter((key) => isOf(guest.dataset, key)).map(({ id }) => id));
  rememberInvitation(match, guest.dataset.whom, null);
  rememberInvitation(match, keyOf(guest.dataset.whom), null);
}

async function revoke(guest, keys) {
  for (const key of keys) await remove(`/matches/${match}/invitations/${key}`);
  guest.dataset.keys = keysOf(guest).filter((key) => !keys.includes(key)).join(" ");
}

function keysOf(guest) {
  return guest.dataset.keys.split(" ").filter(Boolean);
}

async function invite(guest) {
  const { role, seat, whom } = guest.dataset;
  await stop(guest);
  const made = await post(`/matches/${match}/invitations`, seat ? { role, seat: Number(seat) } : { role });
  guest.dataset.keys = [...keysOf(guest), made.id].join(" ");
  rememberInvitation(match, whom, made.token);
  rememberInvitation(match, keyOf(whom), made.id);
  show(guest, "");
}

function show(guest, words) {
  const token = invitations(match)[guest.dataset.whom];
  const field = guest.querySelector(".address");
  const say = (told) => (part(guest, "state").textContent = told);
  const fixed = part(guest, "qr").getAttribute("src")?.endsWith("/code.svg");
  if (fixed) return part(guest, "ways").replaceChildren(...giving(field, document.title, say));
  part(guest, "link").hidden = !token;
  say(words);
  if (guest.dataset.role === "host") showOthers(guest);
  if (token) {
    field.value = link(token);
    part(guest, "qr").src = `/m/${match}/code/${token}`;
    part(guest, "ways").replaceChildren(
      ...giving(field, document.title, say),
      button("New link", () => trying(() => invite(guest))),
      button("Stop this link", () => trying(() => stop(guest).then(() => show(guest, "The link opens nothing any more."))), {
        class: "button quiet danger",
      }),
    );
    return;
  }
  const invited = guest.dataset.role !== "host" && keysOf(guest).length > 0;
  if (invited && !words) say("There is a link already, made elsewhere. A new one stops it.");
  const fresh = button(invited ? "Make a new link" : "Make a link", () => trying(() => invite(guest)), { class: "button" });
  part(guest, "ways").replaceChildren(fresh);
}

/** Say that others keep the score already, by links that were made elsewhere. */
function showOthers(guest) {
  const others = keysOf(guest).filter((key) => !isOf(guest.dataset, { id: key }));
  part(guest, "others")?.remove();
  if (!others.length) return;
  const alone = button("Stop all others", ({ currentTarget }) => {
    if (!currentTarget.dataset.sure) {
      currentTarget.dataset.sure = "yes";
      currentTarget.textContent = "Stop all others: sure?";
      return;
    }
    trying(() => revoke(guest, others).then(() => show(guest, "Nobody else keeps the score any more.")));
  }, { class: "button bare danger" });
  const said = others.length > 1 ? `${others.length} other devices keep the score` : "Another device keeps the score";
  guest.append(make("div", { class: "others", "data-part": "others" }, make("p", { class: "soft" }, `${said}, by an invitation made elsewhere.`), alone));
}

// A link that is kept here may have been stopped elsewhere: then its code cannot be drawn.
for (const guest of document.querySelectorAll(".guest")) {
  part(guest, "qr").addEventListener("error", () => {
    rememberInvitation(match, guest.dataset.whom, null);
    show(guest, "");
  });
  show(guest, "");
}
