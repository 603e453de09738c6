/** The end of a match: looking back, and playing again. */

import { button, make } from "./elements.js";
import { get, post } from "./requests.js";

/** What is offered when a match is over. */
export function ending({ match, ply, role }) {
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true });
  const again = async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      const { match: next, tokens } = await post("/matches", sameAs(await get(`/matches/${match}`)));
      location.assign(`/join/${next}/${tokens.host}`);
    } catch (error) {
      currentTarget.disabled = false;
      trouble.textContent = error.message;
      trouble.hidden = false;
    }
  };
  const ways = make(
    "div",
    { class: "row" },
    make("a", { class: "button large", href: `/m/${match}/replay#${ply}` }, "Look back"),
    role === "host" ? button("Play again", again, { class: "button quiet large" }) : null,
  );
  return [ways, trouble];
}

/** How to open a match like another one: the same people and options. */
function sameAs({ game, options, seats, players, visibility, dice, clock }) {
  const limits = clock && Object.fromEntries(
    ["move", "total", "increment", "programming"].filter((name) => clock[name] !== null).map((name) => [name, clock[name]]),
  );
  return { game, options, seats, players, visibility, dice: dice.by, ...(limits ? { clock: limits } : {}) };
}
