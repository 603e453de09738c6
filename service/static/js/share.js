/** Sharing a match, and for its host: who may read it, and the trash. */

import { showLocalTimes } from "./replay/captions.js";
import { handOver } from "./shared/hand_over.js";
import { shareButtons } from "./shared/link_sharing.js";
import { find, findAll, make, onSubmit, partsOf, reporting, twice } from "./shared/elements.js";
import { patch, post, put, remove } from "./shared/http.js";
import { prefix } from "./shared/prefix.js";

/** The milliseconds for which the code of a phone is good. */
const GOOD = 120_000;

const { match } = find(document, "main").dataset;
const parts = partsOf(document);
const attempt = reporting(parts.trouble);

const address = /** @type {HTMLTextAreaElement} */ (find(document, "#address"));
const shares = shareButtons(address, document.title, (words) => {
  parts.state.textContent = words;
});
shares[0].className = "button large";
parts.ways.replaceChildren(...shares);
handOver(find(document, "main"));
showLocalTimes(document);

/** A device that can share files sends the picture itself. */
async function offerPicture() {
  const picture = /** @type {HTMLImageElement | undefined} */ (parts.picture);
  if (!picture || !("canShare" in navigator)) return;
  await picture.decode();
  const copy = make("canvas", { width: picture.naturalWidth, height: picture.naturalHeight });
  copy.getContext("2d")?.drawImage(picture, 0, 0);
  copy.toBlob((content) => {
    if (!content) return;
    const shared = { title: document.title, files: [new File([content], `plybook-${match}.png`, { type: content.type })] };
    buttons.send.hidden = !navigator.canShare(shared);
    buttons.send.addEventListener("click", () => navigator.share(shared).catch(() => {}));
  });
}

parts.readers?.addEventListener("change", ({ target }) =>
  attempt(async () => {
    const { value } = /** @type {HTMLInputElement} */ (target);
    await put(`/matches/${match}/visibility`, { visibility: value });
    location.reload();
  }),
);

let ends = 0;
for (const asked of findAll(document, "[data-seat]")) {
  asked.addEventListener("click", () => attempt(async () => {
    const { code, link } = await post(`/matches/${match}/phone-codes`, { seat: Number(asked.dataset.seat) });
    const [image, field] = [find(parts.code, "img"), find(parts.code, "input")];
    Object.assign(image, { src: `${prefix}/m/${match}/code/${code}`, alt: `${asked.textContent}: code of the link below` });
    /** @type {HTMLInputElement} */ (field).value = link;
    asked.parentElement?.after(parts.code);
    parts.code.hidden = false;
    clearTimeout(ends);
    ends = setTimeout(() => (parts.code.hidden = true), GOOD);
  }));
}

if (parts.places) onSubmit(parts.places, () => {
  const tags = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (parts.places)));
  attempt(() => patch(`/matches/${match}/tags`, { tags }).then(() => location.reload()));
});

const buttons = Object.fromEntries(findAll(document, "[data-do]").map((each) => [each.dataset.do, each]));

offerPicture().catch(() => {}); // without it the picture is saved, not sent

/** @type {(is: boolean) => void} */
function trashed(is) {
  buttons.delete.hidden = is;
  buttons.restore.hidden = !is;
  buttons[is ? "restore" : "delete"].focus();
}

const asked = buttons.delete?.textContent ?? "";
buttons.delete?.addEventListener("click", () => twice(buttons.delete, () => attempt(async () => {
  await remove(`/matches/${match}`);
  buttons.delete.textContent = asked;
  delete buttons.delete.dataset.sure;
  trashed(true);
})));
buttons.forget?.addEventListener("click", () => twice(buttons.forget, () => attempt(async () => {
  const { forgetMatch } = await import("./shared/forgetting.js");
  await forgetMatch(match ?? "");
  location.assign(`${prefix}/`);
})));
buttons.restore?.addEventListener("click", () => attempt(async () => {
  await post(`/matches/${match}/restore`, {});
  trashed(false);
}));
