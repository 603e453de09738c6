"""Visit a page, and check the sizes of its controls, its layout and its accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.browser.launch import PHONE, Server, new_context
from tests.browser.page_cases import PageCase


class Screen(NamedTuple):
    """A screen to show a page on, with the size of its type."""

    width: int
    height: int
    is_phone: bool
    type_size: str = ""


SCREENS = {
    "phone": Screen(360, 740, is_phone=True),
    "small phone": Screen(320, 740, is_phone=True),
    "phone with type of twice the size": Screen(360, 740, is_phone=True, type_size="200%"),
    "desktop": Screen(1280, 800, is_phone=False),
    "desktop window at twice the size": Screen(640, 400, is_phone=False),
}

WATCH_POLICY = """
window.broken = [];
document.addEventListener("securitypolicyviolation", (event) =>
  broken.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""

TARGETS = """() => {
  const told = (element) => element.outerHTML.slice(0, 120).replace(/\\s+/g, " ");
  const all = "a[href], button, input, select, textarea, summary, .pb-cell[role=button]";
  // While a dialog is open nothing else can be touched.
  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const labelled = "[type=radio], [type=checkbox], [type=file]";
  const targets = [...root.querySelectorAll(all)].flatMap((element) => {
    if (element.disabled || element.closest("[hidden], [aria-hidden=true]")) return [];
    // A box is touched by its label, a place by the whole of its square.
    const target = element.matches(labelled) ? element.labels[0] ?? element
      : element.querySelector(":scope > .pb-hit") ?? element;
    const seen = target.checkVisibility({ visibilityProperty: true })
      && !target.closest(".unseen, .skip");
    return seen ? [{ element, target }] : [];
  });
"""

SMALL_TARGETS = (
    TARGETS
    + """
  const [operated] = [...document.querySelectorAll("[data-mode], .match:not(.is-programming)")];
  return targets.flatMap(({ element, target }) => {
    if (element.matches(".pb-cell") && !operated?.contains(element)) return [];
    let { width, height } = target.getBoundingClientRect();
    if (target.matches(".pb-hit")) {
      // The line around it takes touches though it is not drawn.
      const line = parseFloat(getComputedStyle(target).strokeWidth) * target.getScreenCTM().a;
      [width, height] = [width + line, height + line];
    }
    // As WCAG 2.5.8: what stands in a text is as high as its lines; a list of moves is one, too.
    if (isWithinText(element)) return [];
    const least = element.matches(".list a") ? 32 : 43.4;
    // All 52 cards of a pad, and all bids below a hand, are on the screen of a phone.
    const low = element.matches(".card-key, [data-move^='bid=']") ? 35 : least;
    return width >= least && height >= low ? [] : [`${width} x ${height}: ${told(element)}`];
  });

  function isWithinText(element) {
    if (!element.matches("a") || getComputedStyle(element).display !== "inline") return false;
    const text = element.closest("p, li, td, th, dd, small, footer, div");
    return text.textContent.trim() !== element.textContent.trim();
  }
}"""
)

SMALL_IN_NARROW_LETTERS = f"""() => {{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* {{ letter-spacing: -.5em !important; word-spacing: -.3em !important; }}");
  document.adoptedStyleSheets.push(sheet);
  try {{
    return ({SMALL_TARGETS})();
  }} finally {{
    document.adoptedStyleSheets.pop();
  }}
}}"""
"""The controls whose size depends on the widths of letters, which differ from font to font."""

COVERED_TARGETS = (
    TARGETS
    + """
  return targets.flatMap(({ element, target }) => {
    scrollTo({ top: 0, behavior: "instant" });
    element.focus();
    target.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = target.getClientRects()[0];
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    // A cube may lie below others.
    const reached = there?.closest(".pb-cell") ? element.matches(".pb-cell")
      : there && (element.contains(there) || target.contains(there) || there.contains(target));
    return reached ? [] : [`${told(element)} is under ${there ? told(there) : "nothing"}`];
  });
}"""
)
"""The controls that cannot be touched after they are focused and scrolled into view."""

OVERFLOWING = """() => {
  const { clientWidth: wide, scrollWidth } = document.scrollingElement;
  if (scrollWidth <= wide) return [];
  const out = [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > wide + .5);
  return out.map((element) => element.outerHTML.slice(0, 120).replace(/\\s+/g, " "));
}"""

LABELS = "label-content-name-mismatch"
"""The rule of axe-core that a name begins with what is read on its control; it is experimental."""

DRAWN_BUTTONS = ('class="pb-cell', 'class="pb-pick')
"""Places and supplies, which the rule is not for: axe-core takes the digits and letters of their
drawings (`<text>`, "×5") for labels, whether they are hidden from screen readers or not. Their
names say in words what is drawn: "home row of Red" for the 2 of seat 2, "5 left" for "×5".
"""

COLOUR_RULES = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core whose verdict depends on colours."""

SETTLE = """() => {
  const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
  for (const each of transitions) each.finish();
}"""
"""End the transitions between two colours; Chromium may not tell of an end that nobody sees."""

DRAWN = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
"""Draw the page, for it fits its board to what was drawn."""

SERVICE_WORKER = "warning: Service Worker registration blocked"
"""How the line begins that Playwright logs for a page, as no visit needs a service worker."""


class Visit(NamedTuple):
    """An open page on a phone in dark colours, and the messages of the browser."""

    case: PageCase
    page: Any
    server: Server
    session: Any
    logged: list[str]
    asked: list[str]
    failed: list[str]

    @property
    def unexpected(self) -> list[str]:
        """The logged lines that the case does not expect, and violations of the policy."""
        logged = self.logged + self.page.evaluate("broken")
        others = [words for words in logged if not words.startswith(SERVICE_WORKER)]
        return [words for words in others if words not in self.case.says]

    @property
    def elsewhere(self) -> list[str]:
        """The requests to others."""
        own = (f"{self.server.url}/", "data:", "blob:")
        return [url for url in self.asked if not url.startswith(own)]

    def show(self, screen: Screen) -> None:
        """Change the screen under the open page, as the developer tools of a browser do."""
        size = {"width": screen.width, "height": screen.height}
        density = {"deviceScaleFactor": 2 if screen.is_phone else 1, "mobile": screen.is_phone}
        self.session.send("Emulation.setDeviceMetricsOverride", size | density)
        self.session.send("Emulation.setTouchEmulationEnabled", {"enabled": screen.is_phone})
        set_type = "size => { document.documentElement.style.fontSize = size; }"
        self.page.evaluate(set_type, screen.type_size)
        self.page.wait_for_timeout(100)
        self.page.evaluate(DRAWN)

    def axe_faults(self, script: str, scheme: str) -> list[str]:
        """Return the faults that axe-core finds in a colour scheme, each with its place.

        In light colours it tries only the colour rules: the others find the same in both.
        """
        self.page.emulate_media(color_scheme=scheme)
        self.page.evaluate(SETTLE)
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(script)
        options: dict[str, Any] = {
            "resultTypes": ["violations"],
            "rules": {LABELS: {"enabled": True}},
        }
        if scheme == "light":
            options["runOnly"] = COLOUR_RULES
        found = self.page.evaluate(
            "async (options) => (await axe.run(options)).violations", options
        )
        return [
            f"{fault['impact']} {fault['id']}: {node['html'][:160]} ({node['failureSummary']})"
            for fault in found
            for node in fault["nodes"]
            if not (fault["id"] == LABELS and any(each in node["html"] for each in DRAWN_BUTTONS))
        ]


@contextmanager
def visit_page(browser: Any, server: Server, case: PageCase) -> Iterator[Visit]:
    """Open a page on a phone in dark colours, and do its action; close it when the block ends."""
    context = new_context(
        browser, base_url=server.url, color_scheme="dark", service_workers="block", **PHONE
    )
    context.add_init_script(WATCH_POLICY)
    if case.join:
        context.request.get(case.join)  # for its cookie
    page = context.new_page()
    visit = Visit(case, page, server, context.new_cdp_session(page), [], [], [])
    page.on("request", lambda request: visit.asked.append(request.url))
    page.on("requestfailed", lambda told: visit.failed.append(f"{told.failure}: {told.url}"))
    page.on("pageerror", lambda error: visit.logged.append(str(error)))
    page.on("console", lambda said: visit.logged.append(f"{said.type}: {said.text}"))
    try:
        _open_page(page, case)
        yield visit
    finally:
        context.close()


def _open_page(page: Any, case: PageCase) -> None:
    page.goto(case.path)
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)  # modules add the tappable controls
    if case.act:
        case.act(page)
        page.wait_for_timeout(300)
