/** Sharing a match, and for its host: who may read it, and the trash. */

import { giving } from "./giving.js";
import { post, put, remove } from "./requests.js";

const { match } = document.querySelector("main").dataset;

function part(name) {
  return document.querySelector(`[data-part=${name}]`);
}

async function trying(work) {
  part("trouble").hidden = true;
  try {
    await work();
  } catch (error) {
    part("trouble").textContent = error.message;
    part("trouble").hidden = false;
    part("trouble").scrollIntoView({ block: "nearest" });
  }
}

const say = (words) => (part("state").textContent = words);
part("ways").replaceChildren(...giving(document.getElementById("address"), document.title, say));

part("readers")?.addEventListener("change", ({ target }) =>
  trying(async () => {
    await put(`/matches/${match}/visibility`, { visibility: target.value });
    location.reload();
  }),
);

const buttons = Object.fromEntries(
  [...document.querySelectorAll("[data-do]")].map((each) => [each.dataset.do, each]),
);

function trashed(is) {
  buttons.delete.hidden = is;
  buttons.restore.hidden = !is;
  buttons[is ? "restore" : "delete"].focus();
}

buttons.delete?.addEventListener("click", () => trying(async () => {
  await remove(`/matches/${match}`);
  trashed(true);
}));
buttons.restore?.addEventListener("click", () => trying(async () => {
  await post(`/matches/${match}/restore`, {});
  trashed(false);
}));
