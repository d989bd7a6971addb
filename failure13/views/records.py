"""The records that a model cannot write: the ticket and the orders."""

import streamlit as st

from failure13 import Case
from failure13.views import exact


def show(case: Case, owed: str, notice: str) -> None:
    """The ticket, what is owed, what to look at, and the order book."""
    ticket, orders = case["ticket"], case["orders"]
    agreed = f", {ticket['agreed_amount']} agreed with the customer" if "agreed_amount" in ticket else ""
    left, right = st.columns((5, 4), gap="medium")
    with left, exact.together():
        exact.prose(
            ticket["text"],
            f"Ticket {ticket['id']}, customer {ticket['customer_id']}, order {ticket['order_id']}{agreed}. "
            f"Owed: {owed}",
        )
        if notice:
            exact.line(notice)
    with right:
        exact.table(
            "Order records",
            ("order on file", "customer", "paid", "refundable"),
            [
                (name, order["customer_id"], f"{order['paid']} {order['currency']}", order["refundable"])
                for name, order in orders.items()
            ],
            show_caption=False,
        )
