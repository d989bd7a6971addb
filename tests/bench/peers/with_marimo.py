"""The small page with marimo, each key sent at once."""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    from tests.bench.peers import FIELDS, outcomes

    said, intent, do = (mo.ui.text(value, label=name, debounce=False) for name, value in FIELDS.items())
    mo.vstack([said, intent, do])
    return do, intent, mo, outcomes, said


@app.cell
def _(do, intent, mo, outcomes, said):
    mo.plain_text(outcomes(said.value, intent.value, do.value))
    return
