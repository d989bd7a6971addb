"""Shows a visitor's text exactly. Markdown elements change it: `$20.00 ... $200.00` becomes mathematics to them.

The only module that writes HTML. Every text goes through `_text`, which escapes it and spells out what cannot be seen.
"""

import html
from collections.abc import Sequence

import streamlit as st

from failure13.characters import visible

STYLE = """<style>
.f13 { font-size: 0.875rem; line-height: 1.45; overflow-wrap: anywhere; }
.f13 pre, .f13 code { font: 0.8125rem/1.5 "Source Code Pro", monospace; background: none; color: inherit; padding: 0; }
.f13 pre { white-space: pre-wrap; margin: 0; overflow-wrap: anywhere; }
.f13-box { background: color-mix(in srgb, currentColor 5%, transparent); border-radius: 0.4rem; padding: 0.5rem 0.7rem; }
.f13 table { border-collapse: collapse; width: 100%; margin: 0; }
.f13 caption { text-align: left; padding: 0 0 0.15rem; caption-side: top; }
.f13 caption, .f13 th, .f13-quiet { color: color-mix(in srgb, currentColor 78%, transparent); font-weight: 400; font-size: 0.8125rem; }
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
.f13-listing { max-height: 30rem; overflow: auto; border-radius: 0.4rem; background: color-mix(in srgb, currentColor 5%, transparent); }
.f13-listing td { padding: 0 0.6rem; font: 0.8125rem/1.55 "Source Code Pro", monospace; white-space: pre-wrap; }
.f13-listing td.n { color: color-mix(in srgb, currentColor 78%, transparent); text-align: right; width: 1%; }
.f13-listing tbody td { border: 0; }
.f13-listing .ran td { background: light-dark(#e3ecdf, #26372a); }
.f13-listing .bug td { font-weight: 700; }
/* What was typed in a text area is taken when it is left; until then the answer below belongs to the text before. */
.f13-stale { display: none; color: light-dark(#7d4a00, #f5c57f); }
[data-testid="stMain"]:has([data-testid="stTextArea"] [data-testid="InputInstructions"]:not(:empty)) .f13-stale {
  display: block;
}
/* The faint shortcut on a coloured button is too faint to read, and no setting makes it stronger. */
[data-testid="stBaseButton-primary"] kbd { opacity: 1; }
/* A button of a key with f13-icon shows its icon alone; its label stays for a screen reader, which has no setting. */
[class*="f13-icon"] button [data-testid="stMarkdownContainer"],
.f13-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
</style>"""


def style() -> None:
    """The look of everything this module shows; once a page."""
    st.html(STYLE)


def _text(text: str) -> str:
    return html.escape(visible(text))


def _show(body: str) -> None:
    st.html(f'<div class="f13">{body}</div>')


def block(*texts: str) -> None:
    """Texts as a program prints them, one under the other in one box."""
    _show(f'<div class="f13-box"><pre>{_text(chr(10).join(texts))}</pre></div>')


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
    """A line that shows only while a text area holds text that has not been taken yet."""
    text = "Stale: this is for the text before. Tab takes what you typed, Ctrl+Enter also runs it."
    _show(f'<p class="f13-stale" role="status">{text}</p>')


def mark(differs: bool) -> None:
    """Whether two values side by side are the same: a sign for the eye, a word for a screen reader."""
    name, sign, word = ("differs", "≠", "differs") if differs else ("same", "=", "same")
    _show(
        f'<div class="f13-mark f13-{name}"><span aria-hidden="true">{sign}</span>'
        f'<span class="f13-hidden">{word}</span></div>'
    )


def table(
    caption: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    marked: Sequence[int] = (),
    show_caption: bool = True,
) -> None:
    """Rows of text under a header; `marked` are the numbers of the rows to set in bold."""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in header)
    body = "".join(
        f"<tr{' class=marked' if number in marked else ''}>"
        + "".join(f"<td>{_text(cell)}</td>" for cell in row)
        + "</tr>"
        for number, row in enumerate(rows)
    )
    hidden = "" if show_caption else ' class="f13-hidden"'
    _show(
        f"<table><caption{hidden}>{_text(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


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
