"""Shows a visitor's text exactly. Markdown elements change it: `$20.00 ... $200.00` becomes mathematics to them.

The only module that writes HTML. Every text goes through `_text`, which escapes it and spells out what cannot be seen.
"""

import html
import re
import zlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from failure13.characters import visible
from failure13.verdicts import VERDICTS
from failure13.visit import lessons
from failure13.visit.lessons import Beat
from failure13.visit.tables import Table

MOST_SHOWN = 4000  # characters of one text; a browser takes seconds to lay out one long word of more
STYLE = """<style>
.f13 { font-size: 0.875rem; line-height: 1.45; overflow-wrap: anywhere; }
.f13 + .f13 { margin-top: 0.5rem; }
.f13:has(.f13-stale) + .f13 { margin-top: 0; }
.f13 pre, .f13 code { font: 0.8125rem/1.5 "Source Code Pro", monospace; background: none; color: inherit; padding: 0; }
.f13 pre { white-space: pre-wrap; margin: 0; overflow-wrap: anywhere; }
.f13-box, .f13-listing { background: color-mix(in srgb, currentColor 5%, transparent); border-radius: 0.4rem; }
.f13-box { padding: 0.5rem 0.7rem; }
.f13 table { border-collapse: collapse; width: 100%; margin: 0; }
.f13 caption { text-align: left; padding: 0 0 0.15rem; caption-side: top; }
.f13 caption, .f13 th, .f13-quiet { color: color-mix(in srgb, currentColor 78%, transparent); }
.f13 caption, .f13 th, .f13-quiet { font-weight: 400; font-size: 0.8125rem; }
.f13 th, .f13 td { text-align: left; padding: 0.15rem 0.6rem 0.15rem 0; vertical-align: top; border: 0; }
.f13 tbody td { border-top: 1px solid color-mix(in srgb, currentColor 16%, transparent); }
.f13 .marked td { font-weight: 600; }
.f13 .said { font-style: italic; margin: 0; white-space: pre-wrap; }
.f13 p { margin: 0; font-size: inherit; }
.f13 ul { margin: 0; padding-left: 1.1rem; }
.f13 li { font-size: inherit; margin: 0; }
.f13-mark { text-align: center; font-size: 1.15rem; padding-top: 0.35rem; }
.f13-differs { color: light-dark(#b3202f, #ff8f8f); font-weight: 700; }
.f13-same { color: color-mix(in srgb, currentColor 75%, transparent); }
.f13-listing { max-height: 30rem; overflow: auto; }
.f13-listing td { padding: 0 0.6rem; font: 0.8125rem/1.55 "Source Code Pro", monospace; white-space: pre-wrap; }
.f13-listing td.n { overflow-wrap: normal; white-space: nowrap; text-align: right; width: 1%; }
.f13-listing td.n { color: color-mix(in srgb, currentColor 78%, transparent); }
.f13-listing tbody td { border: 0; }
.f13-listing .ran td { background: light-dark(#e3ecdf, #26372a); }
.f13-listing .bug td { font-weight: 700; }
/* What was typed in a text area is taken when it is left; until then the answer below belongs to the text before. The
   mark lies over the answer, for a page that moved as a field is left would take a button from under the pointer. */
.f13:has(.f13-stale) { position: relative; height: 0; }
.f13-stale { visibility: hidden; position: absolute; top: 0.25rem; right: 0.25rem; padding: 0 0.4rem; z-index: 1; }
.f13-stale { color: light-dark(#7d4a00, #f5c57f); background: light-dark(#fdf0d9, #3b2c12); border-radius: 0.3rem; }
[data-testid="stMain"]:has([data-testid="stTextArea"] [data-testid="InputInstructions"]:not(:empty)) .f13-stale {
  visibility: visible;
}
/* The faint shortcut on a coloured button is too faint to read, and no setting makes it stronger. */
[data-testid="stBaseButton-primary"] kbd { opacity: 1; }
.f13-lesson { font-size: clamp(1.15rem, 2.1vw, 1.75rem); line-height: 1.4; }
.f13 .f13-lesson > * { margin: 0 0 0.6em; }
.f13 .f13-lesson h1 { color: light-dark(#5f5952, #b3ada5); font-size: 0.65em; font-weight: 400; padding: 0; margin: 0; }
.f13 .f13-lesson h2 { font-size: 1.25em; font-weight: 700; line-height: 1.2; padding: 0; }
.f13-lesson .aside { color: light-dark(#5f5952, #b3ada5); font-size: 0.8em; }
.f13-lesson .said { border-left: 0.2em solid light-dark(#0b6174, #7cc8d8); padding-left: 0.6em; }
.f13-lesson table { font-size: 0.85em; width: auto; min-width: min(100%, 34rem); }
.f13-lesson caption, .f13-lesson th { font-size: 0.75em; }
.f13-lesson th, .f13-lesson td { padding-right: 1.4em; }
.f13-lesson .printed, .f13-earlier .printed { font-family: "Source Code Pro", monospace; font-size: 0.8em; }
.f13-verdict { font-weight: 700; }
.f13-green { color: light-dark(#0d5f38, #86dcae); }
.f13-blue { color: light-dark(#0b4f7d, #93c9f5); }
.f13-orange { color: light-dark(#7d4a00, #f5c57f); }
.f13-red { color: light-dark(#a01526, #ff9a9a); }
.f13-violet { color: light-dark(#5a3690, #c9b2f5); }
.f13-gray { color: light-dark(#5f5952, #b3ada5); }
.f13-lesson td:first-child, .f13-earlier td:first-child { overflow-wrap: break-word; }
.f13-lesson caption, .f13-earlier caption { white-space: nowrap; }
.f13-earlier h3 { font-size: 0.875rem; font-weight: 600; padding: 0; margin: 0.8rem 0 0.2rem; }
.f13-earlier table { width: auto; }
/* No setting makes a button as large as the text that it belongs to. */
.st-key-f13-choices button p, .st-key-f13-tries button p, .st-key-f13-challenge button p,
.st-key-f13-hands button p, .st-key-f13-hands .f13 { font-size: 1.2rem; }
.st-key-f13-hands label p { font-size: 1rem; }
/* A button of a key with f13-icon shows its icon alone; its label stays for a screen reader, which has no setting. */
[class*="f13-icon"] button [data-testid="stMarkdownContainer"],
.f13-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
</style>"""

# Tells a screen reader what the beat on screen says, in an element that stays; shows a new beat from its top; gives a
# focus that went with the last beat to the button that goes on; and keeps the address in step without an entry in the
# browser's history. All of it needs a script. The script holds nobody's text: what it says it reads from the page, and
# its last line makes it run again when that text has changed.
ANNOUNCE = """<script>
(() => {
  const id = "f13-announced";
  let said = document.getElementById(id);
  if (!said) {
    said = document.createElement("div");
    document.body.appendChild(Object.assign(said, { id, className: "f13-hidden", role: "status" }));
    document.addEventListener("focusin", (event) => { said.focused = event.target; });
  }
  const beats = document.querySelectorAll(".f13-lesson");
  said.textContent = beats.length ? beats[beats.length - 1].innerText : "";
  if (said.dataset.beat && said.dataset.beat !== "%(address)s") {
    document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (said.focused && !said.focused.isConnected) document.querySelector(".st-key-lesson-forward button")?.focus();
    }));
  }
  said.dataset.beat = "%(address)s";
  history.replaceState(history.state, "", "%(address)s");
})();
// %(text)d
</script>"""
ADDRESS = re.compile(r"\?[a-z0-9=&]*")


def style() -> None:
    """The look of everything this module shows; once a page."""
    st.html(STYLE)


def _text(text: str) -> str:
    # Not `shortened`: whoever edits a long text needs to know how long it is.
    shown = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} ... ({len(text)} characters in all)"
    return html.escape(visible(shown))


_together: ContextVar[list[str] | None] = ContextVar("together", default=None)


@contextmanager
def together() -> Generator[None]:
    """Send all that is shown inside as one element; the browser and the server then do the work of one."""
    token = _together.set([])
    try:
        yield
        body = "".join(_together.get() or [])
    finally:
        _together.reset(token)
    if body:
        st.html(body)


def _show(body: str) -> None:
    piece, pieces = f'<div class="f13">{body}</div>', _together.get()
    if pieces is None:
        st.html(piece)
    else:
        pieces.append(piece)


def block(*texts: str) -> None:
    """Texts as a program prints them, one under the other in one box."""
    _show(f'<div class="f13-box"><pre>{chr(10).join(map(_text, texts))}</pre></div>')


def prose(text: str, lead: str = "") -> None:
    """Somebody's sentence, in italics, behind a plain lead such as "The customer reads"."""
    _show((f'<p class="f13-quiet">{_text(lead)}</p>' if lead else "") + f'<p class="said">{_text(text)}</p>')


def small(text: str) -> None:
    """A quiet line."""
    _show(f'<p class="f13-quiet">{_text(text)}</p>')


def line(text: str) -> None:
    """A line of plain text."""
    _show(f"<p>{_text(text)}</p>")


def lines(texts: Sequence[str]) -> None:
    """Plain texts as a list."""
    _show("<ul>" + "".join(f"<li>{_text(text)}</li>" for text in texts) + "</ul>")


def stale() -> None:
    """A mark that shows only while a text area holds text that has not been taken yet."""
    _show('<p class="f13-stale" role="status">Stale: for the text before</p>')


def mark(differs: bool) -> None:
    """Whether two values side by side are the same: a sign for the eye, a word for a screen reader."""
    name, sign, word = ("differs", "≠", "differs") if differs else ("same", "=", "same")
    _show(
        f'<div class="f13-mark f13-{name}"><span aria-hidden="true">{sign}</span>'
        f'<span class="f13-hidden">{word}</span></div>'
    )


def table(table: Table, marked: Sequence[int] = (), show_caption: bool = True) -> None:
    """Rows of text under a header; `marked` are the numbers of the rows to set in bold."""
    _show(_table(table, marked, show_caption))


def _table(table: Table, marked: Sequence[int] = (), show_caption: bool = True) -> str:
    head = "".join(f'<th scope="col">{_text(name)}</th>' if name else "<td></td>" for name in table.header)
    body = "".join(
        f"<tr{' class=marked' if number in marked else ''}>"
        + "".join(f"<td>{_text(cell)}</td>" for cell in row)
        + "</tr>"
        for number, row in enumerate(table.rows)
    )
    caption = f"<caption{'' if show_caption else ' class=f13-hidden'}>{_text(table.caption)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def beat(of: str, shown: Beat, note: str) -> None:
    """A beat in large: what it is part of, its heading, verdict, lines and tables, and a note on how one came here."""
    _show(
        f'<div class="f13-lesson"><h1>{_text(of)}</h1><h2>{_text(shown.heading)}</h2>'
        + (f"<p><strong>{_text(note)}</strong></p>" if note else "")
        + _beat(shown)
        + "</div>"
    )


def earlier(beats: Sequence[Beat]) -> None:
    """Beats in small, each under its heading."""
    shown = "".join(f"<h3>{_text(each.heading)}</h3>{_beat(each)}" for each in beats)
    _show(f'<div class="f13-earlier">{shown}</div>')


def _beat(beat: Beat) -> str:
    verdict = VERDICTS.get(beat.verdict)
    return (
        (f'<p class="f13-verdict f13-{verdict.tone}">{verdict.sign} {verdict.word}</p>' if verdict else "")
        + "".join(f'<p class="{CLASSES[kind]}">{_text(text)}</p>' for kind, text in beat.lines)
        + "".join(map(_table, beat.tables))
    )


# How a line of a beat is shown, as a class of the style.
CLASSES = {lessons.PLAIN: "", lessons.QUOTE: "said", lessons.PRINTED: "printed", lessons.ASIDE: "aside"}


def announce(address: str, text: str) -> None:
    """Have a screen reader say the lesson on screen, and put `address`, such as "?lesson=3&beat=5", in the browser.

    `text` must change whenever there is something new to say.
    """
    if ADDRESS.fullmatch(address) is None:
        raise ValueError(f"expected a query of lower case letters and digits, found {address!r}")
    said = zlib.crc32(text.encode("utf-8", "backslashreplace"))
    st.html(ANNOUNCE % {"address": address, "text": said}, unsafe_allow_javascript=True)


def listing(name: str, numbered: Sequence[tuple[int, str, bool]]) -> None:
    """Lines of a file as (number, text, ran), those that ran marked by a sign, a word and a tint."""
    rows = "".join(
        f'<tr class="{"ran" if ran else ""}{" bug" if "# THE BUG" in text else ""}">'
        f'<td class="n">{number}</td><td>{_ran(ran)}</td><td>{_text(text)}</td></tr>'
        for number, text, ran in numbered
    )
    label = f"{_text(name)}, with the lines that ran marked"
    _show(
        f'<div class="f13-listing" tabindex="0" role="region" aria-label="{label}">'
        f'<table><thead class="f13-hidden"><tr><th>line</th><th>ran</th><th>code</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _ran(ran: bool) -> str:
    return '<span aria-hidden="true">▶</span><span class="f13-hidden">ran</span>' if ran else ""
