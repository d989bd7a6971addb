"""The small page with Panel, each key sent at once."""

import panel as pn

from tests.bench.peers import FIELDS, outcomes

fields = [pn.widgets.TextInput(name=name, value=value) for name, value in FIELDS.items()]
shown = pn.bind(lambda *texts: pn.pane.Str(outcomes(*texts)), *(field.param.value_input for field in fields))
for field, text in zip(fields, FIELDS.values(), strict=True):
    field.value_input = text
pn.Column(*fields, shown).servable()
