/** Starts a match: sends the form as JSON, and lets this device keep the score. */

import { rememberedNames, rememberMatch } from "./shared/device_memory.js";
import { find, findAll, make, notify, onSubmit } from "./shared/elements.js";
import { HttpError, join, newKey, post } from "./shared/http.js";
import { prefix } from "./shared/prefix.js";

const AGAIN = 5000;

const trouble = find(document, "[data-part=trouble]");
const search = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-part=find]"));
const known = document.getElementById("known");

/** @type {(form: HTMLFormElement, name: string) => string} */
function text(form, name) {
  const field = form.elements.namedItem(name);
  return field && "value" in field ? String(field.value).trim() : "";
}

/** @type {(form: HTMLFormElement, name: string) => number | undefined} */
function number(form, name) {
  const words = text(form, name);
  return words === "" ? undefined : Number(words);
}

/**
 * The text of a time control, in the notation of its kind of clock. A control without any time sets
 * no clock.
 *
 * @type {Record<string, (total: number | undefined, form: HTMLFormElement) => string | undefined>}
 */
const CONTROLS = {
  delay: (total, form) => (total ? `${total}+${number(form, "bonus")}d` : undefined),
  bronstein: (total, form) => (total ? `${total}+${number(form, "bonus")}b` : undefined),
  "byo-yomi": (total, form) => `${total ? `${total}:` : ""}${number(form, "periods")}x${number(form, "period")}`,
  pgn: (_, form) => text(form, "control") || undefined,
};

/** @type {(form: HTMLFormElement) => object | undefined} */
function clock(form) {
  const kind = text(form, "kind");
  const minutes = number(form, "minutes");
  const total = minutes && minutes * 60;
  const limits = CONTROLS[kind]
    ? { control: CONTROLS[kind](total, form) }
    : { move: number(form, "seconds"), total, increment: number(form, "increment") };
  const settings = { ...limits, programming: number(form, "programming") };
  const given = Object.values(settings).some((value) => value !== undefined);
  return given ? settings : undefined;
}

/** @type {(form: HTMLFormElement) => import("./match/unopened.js").Opening & { [name: string]: unknown }} */
function opening(form) {
  const seats = number(form, "seats");
  /** @type {{ game?: string, options: Record<string, unknown>, players: Record<string, string>, seats?: number }} */
  const body = { game: form.dataset.game, options: {}, players: {}, seats };
  for (const [name, value] of new FormData(form)) {
    if (name.startsWith("option.")) body.options[name.slice(7)] = value;
  }
  for (let seat = 1; seat <= (seats ?? 0); seat += 1) {
    const name = text(form, `seat${seat}`);
    if (name) body.players[seat] = name;
  }
  const evening = text(form, "evening");
  const apart = new FormData(form).has("apart");
  const tags = Object.entries({ Round: text(form, "round"), Table: text(form, "table") }).filter(([, value]) => value);
  return {
    ...body,
    ...(evening && { evening, tags: Object.fromEntries(tags) }),
    visibility: text(form, "visibility") || undefined,
    comments: text(form, "comments") || undefined,
    dice: text(form, "dice") || undefined,
    clock: clock(form),
    unjudged: apart || new FormData(form).has("unjudged"),
    ...(apart && { scoresheets: "each" }),
  };
}

/**
 * @type {Map<string, string>} The The keys of requests, so that repeating a request whose answer
 * was lost opens no second match.
 */
const keys = new Map();

/** @type {(form: HTMLFormElement) => Promise<void>} */
async function start(form) {
  const body = opening(form);
  const asked = JSON.stringify(body);
  const key = keys.get(asked) ?? newKey();
  keys.set(asked, key);
  try {
    const made = await post("/matches", body, key);
    for (const sheet of made.scoresheets ?? []) {
      await join(sheet.match, sheet.tokens.host);
      rememberMatch(sheet, []);
    }
    const board = rememberMatch(made, Object.values(body.players));
    location.assign(body.evening ? `${prefix}/evenings/${body.evening}` : board);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status) throw error;
    const { startUnopened } = await import("./match/unopened.js");
    await startUnopened(body, key);
  }
  keys.delete(asked);
}

/**
 * Keep the first boards of a match on this device, to start it without a network. If a fetch fails
 * and may succeed later, it is tried again after a pause, which doubles.
 *
 * @type {(forms: HTMLFormElement[], pause?: number) => Promise<void>}
 */
async function keepBoards(forms, pause = AGAIN) {
  // Browsers keep pages of secure addresses only; in a tab the server is always there.
  if (!navigator.serviceWorker || "tab" in document.documentElement.dataset) return;
  await navigator.serviceWorker.ready;
  const { keepBoard } = await import("./match/unopened.js");
  for (const form of forms) {
    await keepBoard(opening(form)).catch(({ temporary }) => temporary && setTimeout(() => keepBoards([form], 2 * pause), pause));
  }
}

/** @type {(form: HTMLFormElement, is: boolean) => void} */
function busy(form, is) {
  find(form, "button").setAttribute("aria-busy", String(is));
}

/**
 * Hide the name fields of seats that the match does not have, and the fields of other kinds of
 * clock.
 *
 * @type {(form: HTMLFormElement) => void}
 */
function fit(form) {
  const seats = number(form, "seats") ?? 9;
  for (const field of findAll(form, ".player")) {
    field.hidden = Number(field.dataset.seat) > seats;
  }
  for (const field of findAll(form, "[data-kinds]")) {
    field.hidden = !field.dataset.kinds?.split(" ").includes(text(form, "kind"));
    /** @type {HTMLInputElement} */ (find(field, "input")).disabled = field.hidden;
  }
  const choices = /** @type {(HTMLInputElement & HTMLOptionElement)[]} */ (findAll(form, "[data-seats] :is(input, option)"));
  for (const choice of choices) {
    choice.disabled = Number(choice.value) > seats;
    /** @type {HTMLElement} */ (choice.closest("label") ?? choice).hidden = choice.disabled;
    for (const chosen of /** @type {const} */ (["checked", "selected"])) {
      if (choice.disabled && choice[chosen]) choices[0][chosen] = true;
    }
  }
}

const offered = findAll(document, "#known option").map((option) => option.getAttribute("value"));
const others = rememberedNames().filter((name) => !offered.includes(name));
known?.append(...others.map((value) => make("option", { value })));

if (search) {
  const cards = findAll(document, ".pick");
  search.hidden = false;
  search.addEventListener("input", () => {
    for (const card of cards) card.hidden = !card.textContent?.toLowerCase().includes(search.value.trim().toLowerCase());
  });
}

const forms = /** @type {HTMLFormElement[]} */ (findAll(document, "form[data-game]"));
keepBoards(forms);

for (const form of forms) {
  fit(form);
  form.addEventListener("change", () => (fit(form), keepBoards([form])));
  onSubmit(form, () => {
    if (form.querySelector("[aria-busy=true]")) return;
    busy(form, true);
    start(form).catch((error) => {
      busy(form, false);
      notify(trouble, error.message);
    });
  });
  // After going back, the browser shows the page as it was left.
  addEventListener("pageshow", () => busy(form, false));
}
