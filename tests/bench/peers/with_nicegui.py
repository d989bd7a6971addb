"""The small page with NiceGUI, each key sent at once."""

import os

from nicegui import ui

from tests.bench.peers import FIELDS, outcomes


@ui.page("/")
def page():
    """Three fields and the outcomes."""
    fields = [ui.input(name, value=value, on_change=lambda: answer.set_text(told())) for name, value in FIELDS.items()]

    def told():
        return outcomes(*(field.value for field in fields))

    answer = ui.label(told()).style("white-space: pre")


ui.run(host="127.0.0.1", port=int(os.environ["PORT"]), show=False, reload=False)
