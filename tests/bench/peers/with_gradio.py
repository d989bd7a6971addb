"""The small page with Gradio, each key sent at once."""

import os

import gradio as gr

from tests.bench.peers import FIELDS, outcomes

with gr.Blocks(analytics_enabled=False) as page:
    fields = [gr.Textbox(value, label=name) for name, value in FIELDS.items()]
    answer = gr.Textbox(outcomes(*FIELDS.values()), label="outcomes", lines=3)
    for field in fields:
        field.input(outcomes, fields, answer, show_progress="hidden")

page.launch(server_name="127.0.0.1", server_port=int(os.environ["PORT"]), quiet=True)
