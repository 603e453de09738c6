/** Invitations: made, shown as a code, made anew, stopped. What a link holds is told only once. */

import { button } from "./elements.js";
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

async function stop(guest) {
  const { role, seat } = guest.dataset;
  const { keys } = await get(`/matches/${match}/invitations`);
  const own = keys.filter((key) => key.role === role && String(key.seat ?? "") === (seat ?? ""));
  for (const key of own) await remove(`/matches/${match}/invitations/${key.id}`);
  rememberInvitation(match, guest.dataset.whom, null);
  guest.dataset.keys = "";
}

async function invite(guest) {
  const { role, seat, whom } = guest.dataset;
  await stop(guest);
  const made = await post(`/matches/${match}/invitations`, seat ? { role, seat: Number(seat) } : { role });
  guest.dataset.keys = made.id;
  rememberInvitation(match, whom, made.token);
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
  const invited = guest.dataset.keys !== "";
  if (invited && !words) say("There is a link already, made elsewhere. A new one stops it.");
  const make = button(invited ? "Make a new link" : "Make a link", () => trying(() => invite(guest)), { class: "button" });
  part(guest, "ways").replaceChildren(make);
}

// A link that is kept here may have been stopped elsewhere: then its code cannot be drawn.
for (const guest of document.querySelectorAll(".guest")) {
  part(guest, "qr").addEventListener("error", () => {
    rememberInvitation(match, guest.dataset.whom, null);
    show(guest, "");
  });
  show(guest, "");
}
