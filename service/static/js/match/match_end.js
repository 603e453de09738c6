/** The end of a match: looking back, and playing again. */

import { button, make, notify } from "../shared/elements.js";
import { get, post } from "../shared/http.js";
import { prefix } from "../shared/prefix.js";

/**
 * Return the ways on from a match that is over.
 *
 * @type {(controls: Controls) => Node[]}
 */
export function matchEnd({ match, ply, role }) {
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true });
  /** @type {(press: Press) => Promise<void>} */
  const again = async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      const { match: next, tokens } = await post("/matches", sameAs(await get(`/matches/${match}`)));
      location.assign(`${prefix}/join/${next}/${tokens.host}`);
    } catch (error) {
      currentTarget.disabled = false;
      notify(trouble, /** @type {Error} */ (error).message);
    }
  };
  const ways = make(
    "div",
    { class: "row" },
    make("a", { class: "button large", href: `${prefix}/m/${match}/replay#${ply}` }, "Look back"),
    role === "host" ? button("Play again", again, { class: "button quiet large" }) : null,
  );
  return [ways, trouble];
}

/**
 * How to open a match like another one: the same people and options.
 *
 * @type {(match: any) => object}
 */
function sameAs({ game, options, seats, players, visibility, dice, clock }) {
  const limits = clock && Object.fromEntries(
    ["move", "total", "increment", "programming"].filter((name) => clock[name] !== null).map((name) => [name, clock[name]]),
  );
  return { game, options, seats, players, visibility, dice: dice.by, ...(limits ? { clock: limits } : {}) };
}
