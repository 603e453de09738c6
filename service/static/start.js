// Starts a match: sends the form as JSON, and lets this device keep the score.

import { names, rememberInvitation, rememberNames } from "./kept.js";
import { post } from "./requests.js";

const trouble = document.querySelector("[data-part=trouble]");
const known = document.getElementById("known");

function text(form, name) {
  const field = form.elements[name];
  return field ? field.value.trim() : "";
}

function number(form, name) {
  const words = text(form, name);
  return words === "" ? undefined : Number(words);
}

function clock(form) {
  const minutes = number(form, "minutes");
  const settings = {
    move: number(form, "seconds"),
    total: minutes && minutes * 60,
    increment: number(form, "increment"),
    programming: number(form, "programming"),
  };
  const given = Object.values(settings).some((value) => value !== undefined);
  return given ? settings : undefined;
}

function opening(form) {
  const seats = number(form, "seats");
  const body = { game: form.dataset.game, options: {}, players: {}, seats };
  for (const [name, value] of new FormData(form)) {
    if (name.startsWith("option.")) body.options[name.slice(7)] = value;
  }
  for (let seat = 1; seat <= (seats ?? 0); seat += 1) {
    const name = text(form, `seat${seat}`);
    if (name) body.players[seat] = name;
  }
  return {
    ...body,
    visibility: text(form, "visibility") || undefined,
    dice: text(form, "dice") || undefined,
    clock: clock(form),
  };
}

function complain(words) {
  trouble.textContent = words;
  trouble.hidden = false;
  trouble.scrollIntoView({ block: "nearest" });
}

async function start(form) {
  const body = opening(form);
  const told = await post("/matches", body);
  rememberNames(Object.values(body.players));
  for (const [seat, token] of Object.entries(told.tokens.seats)) {
    rememberInvitation(told.match, seat, token);
  }
  location.assign(`/join/${told.match}/${told.tokens.host}`);
}

function busy(form, is) {
  form.querySelector("button").setAttribute("aria-busy", String(is));
}

// A match has fewer seats than there are fields for names: the others are put away.
function fit(form) {
  const seats = number(form, "seats") ?? 9;
  for (const field of form.querySelectorAll(".player")) {
    field.hidden = Number(field.dataset.seat) > seats;
  }
  for (const input of form.querySelectorAll("[data-seats] input")) {
    const away = Number(input.value) > seats;
    input.closest("label").hidden = away;
    if (away && input.checked) form.querySelector("[data-seats] input").checked = true;
  }
}

known?.append(...names().map((name) => Object.assign(document.createElement("option"), { value: name })));

for (const form of document.querySelectorAll("form[data-game]")) {
  fit(form);
  form.addEventListener("change", () => fit(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.querySelector("[aria-busy=true]")) return;
    busy(form, true);
    start(form).catch((error) => {
      busy(form, false);
      complain(error.message);
    });
  });
  // Coming back with the browser's own way back finds the page as it was left.
  addEventListener("pageshow", () => busy(form, false));
}
