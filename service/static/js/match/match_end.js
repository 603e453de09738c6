/** The end of a match: its story, looking back, and a rematch for everybody. */

import { invitations, rememberInvitation } from "../shared/device_memory.js";
import { button, find, make, notify, twice } from "../shared/elements.js";
import { getHtml, post } from "../shared/http.js";
import { prefix } from "../shared/prefix.js";
import { nameOf } from "../shared/words.js";

/**
 * Return the story of a match that is over, and the buttons for what comes next; `role` is the
 * caller's. The scorekeeper may change a result that was `ruled`.
 *
 * @type {(match: { match: string, version: number, ply: number, role: string, names: Names, rematch: boolean, ruled: boolean }) => (Node | string)[]}
 */
export function matchEnd({ match, version, ply, role, names, rematch, ruled }) {
  const trouble = make("p", { class: "notice bad", role: "alert", hidden: true });
  /** @type {(swap: boolean) => (press: Press) => Promise<void>} */
  const again = (swap) => async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      const opened = await post(`/matches/${match}/rematch`, { swap });
      carryInvitations(match, opened, Object.keys(names).length);
      location.assign(`${prefix}/m/${match}/next`);
    } catch (error) {
      currentTarget.disabled = false;
      notify(trouble, /** @type {Error} */ (error).message);
    }
  };
  const asks = ["host", "seat"].includes(role) && !rematch;
  const ways = make(
    "div",
    { class: "row" },
    asks ? button("Rematch", again(false), { class: "button large", "data-rematch": "" }) : null,
    make("a", { class: "button quiet large", href: `${prefix}/m/${match}/replay#${ply}` }, "Look back"),
    asks ? button("Swap sides", again(true), { class: "button quiet large", "data-rematch": "swapped" }) : null,
    role === "host" && document.querySelector("main[data-pad=number]")
      ? make("a", { class: "button quiet large", href: `${prefix}/m/${match}/replay?amend=${ply}#${ply}` }, "Correct")
      : null,
  );
  /** @type {(press: Press, result: string) => void} */
  const rule = ({ currentTarget }, result) => void twice(currentTarget, () => {
    const body = { ply, how: "replaced", texts: [`ruled=${result}`], expected: version };
    post(`/matches/${match}/amendments`, body).then(() => location.reload(), (error) => notify(trouble, error.message));
  });
  const otherwise = ruled && role === "host"
    ? make(
        "details",
        {},
        make("summary", {}, "It ended otherwise"),
        make(
          "div",
          { class: "row" },
          ...Object.keys(names).map((seat) => button(`${nameOf(names, Number(seat))} won`, (press) => rule(press, `+${seat}`), { class: "button quiet" })),
          button("A draw", (press) => rule(press, "="), { class: "button quiet" }),
          button("Not finished", (press) => rule(press, "*"), { class: "button quiet" }),
        ),
      )
    : "";
  const story = make("div", {});
  getHtml(`/m/${match}/ending`).then((page) => story.replaceWith(find(page, ".story")), () => {});
  return [ways, trouble, otherwise, story];
}

/**
 * Let the invitation links of this device also open the rematch, each for its own seat.
 *
 * @type {(before: string, rematch: { match: string, swapped: boolean }, seats: number) => void}
 */
function carryInvitations(before, { match, swapped }, seats) {
  for (const [whom, token] of Object.entries(invitations(before))) {
    const seat = Number(whom);
    rememberInvitation(match, seat && swapped ? String((seat % seats) + 1) : whom, token);
  }
}
