"""Nothing that a visitor was shown as kept is lost, what is cleared is gone, and no visitor reads another's."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from failure13.kept.store import MOST_BYTES, SECONDS_KEPT, NotKept, open_at

ROOT = Path(__file__).parents[1]
ANN, BOB = "id-of-ann", "id-of-bob"

# What a server does: a thread per visitor, and a line for each run once it is kept. It goes on until it is killed.
WRITER = """
import os, sys, threading, time
from itertools import count
from failure13.kept.store import open_at

path, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
store = open_at(path, time.time)
assert store.problem == "", store.problem

def visitor(name):
    for run in count():
        store.append(name, "run", {"run": run, "said": "Refunding $20.00 on A100. " * 20})
        os.write(1, f"{name} {run}\\n".encode())

for number in range(first, last):
    threading.Thread(target=visitor, args=[f"visitor-{number}"]).start()
"""


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "kept" / "visitors.sqlite3"


@pytest.fixture
def store(path, clock):
    store = open_at(path, clock)
    assert store.problem == ""
    yield store
    store.close()


def bodies(store, visitor):
    return [event.body for event in store.events(visitor)]


def bytes_on_disk(path):
    return b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_events_come_back_oldest_first_and_exactly(store, clock):
    odd = {"text": "\ud800 \u202e 'x'\x00", "big": 10**400, "number": -0.0, "list": [None, True, 1, 1.5]}
    first = store.append(ANN, "run", odd)
    clock.now += 5
    second = store.append(ANN, "edit", {"label": "said"})
    assert second > first
    assert store.events(ANN) == [(first, 1_000_000.0, "run", odd), (second, 1_000_005.0, "edit", {"label": "said"})]


@pytest.mark.parametrize("column", ["kind", "body"])
@pytest.mark.parametrize("stored", ["?", "cast(? as text)"])
@pytest.mark.parametrize(
    "spoilt",
    [
        *("", "{", '{"run": 1} and more', "[]", '"text"', "7", "null", "run"),
        *(b"", b"\xff", b'{"said": "\xff"}', b"\x00\x01"),
        *('{"a":' * levels + "1" + "}" * levels for levels in (129, 900, 100_000)),
        '{"a":' + "[" * 200 + "]" * 200 + "}",
        '{"a": ' + "1" * 5000 + "}",
        7,
        1.5,
    ],
    ids=lambda spoilt: repr(spoilt)[:20],
)
def test_a_row_that_holds_no_event_is_passed_over(store, column, stored, spoilt):
    numbers = [store.append(ANN, "run", {"run": run}) for run in range(3)]
    store._connection.execute(f"update events set {column} = {stored} where number = ?", (spoilt, numbers[1]))
    found = [event for event in store.events(ANN) if event.kind == "run"]
    assert [event.body for event in found if event.number != numbers[1]] == [{"run": 0}, {"run": 2}]
    assert column == "kind" or len(found) == 2
    store.append(ANN, "run", {"run": 3})
    assert bodies(store, ANN)[-1] == {"run": 3}


def test_a_body_may_have_as_many_levels_as_a_typed_value_in_a_step(store):
    body = {"steps": [{"do": {"amount": json.loads("[" * 64 + "]" * 64)}}]}
    store.append(ANN, "run", body)
    assert bodies(store, ANN) == [body]


def test_a_restarted_server_finds_what_was_kept(store, path, clock):
    store.append(ANN, "run", {"run": 1})
    store.close()
    again = open_at(path, clock)
    assert bodies(again, ANN) == [{"run": 1}]
    again.close()


@pytest.mark.parametrize("other", [BOB, "", "%", "id-of-%", "' or 1=1 --", ANN.upper(), ANN + " ", "\ud800", "*"])
def test_no_visitor_reads_or_clears_or_replaces_what_is_anothers(store, other):
    number = store.append(ANN, "run", {"secret": 1})
    assert store.events(other) == []
    store.append(other, "run", {"run": 2}, instead_of=[number])
    store.clear(other)
    assert bodies(store, ANN) == [{"secret": 1}]


def test_the_file_does_not_hold_the_id_that_lets_a_visitor_in(store, path):
    store.append(ANN, "run", {"run": 1})
    assert b"run" in bytes_on_disk(path)
    assert ANN.encode() not in bytes_on_disk(path)


def test_the_file_is_its_owners_alone(store, path):
    store.append(ANN, "run", {})
    assert {file.stat().st_mode & 0o077 for file in path.parent.iterdir()} == {0}


def test_an_event_may_take_the_place_of_earlier_ones(store):
    typed = store.append(ANN, "edit", {"said": "R"})
    kept = store.append(ANN, "run", {"run": 1})
    store.append(ANN, "edit", {"said": "Re"}, instead_of=[typed])
    assert bodies(store, ANN) == [{"run": 1}, {"said": "Re"}]
    assert store.events(ANN)[0].number == kept


def test_a_number_is_never_given_twice(store):
    number = store.append(ANN, "run", {})
    store.clear(ANN)
    assert store.append(ANN, "run", {}) > number


def test_what_is_older_than_seven_days_goes(store, path, clock):
    store.append(ANN, "run", {"said": "the oldest words"})
    clock.now += 1
    store.append(ANN, "run", {"run": 2})
    clock.now += SECONDS_KEPT
    assert bodies(store, ANN) == [{"run": 2}]
    store.append(BOB, "run", {})
    store.clear(BOB)
    assert b"the oldest words" not in bytes_on_disk(path)


def test_over_five_megabytes_the_oldest_of_that_visitor_go(store):
    store.append(BOB, "run", {"run": "first"})
    for run in range(120):
        store.append(ANN, "run", {"run": run, "text": "x" * 50_000})
        kept = [body["run"] for body in bodies(store, ANN)]
        assert kept == list(range(kept[0], run + 1))
    assert kept[0] > 0
    assert MOST_BYTES * 0.8 < sum(len(json.dumps(body)) for body in bodies(store, ANN)) <= MOST_BYTES
    assert bodies(store, BOB) == [{"run": "first"}]


def test_a_row_whose_size_is_no_number_stops_nobody(store, path):
    store.append(ANN, "run", {"run": 1})
    with contextlib.closing(sqlite3.connect(path)) as other, other:
        other.execute("update events set size = x'616263'")
    for run in (2, 3):
        store.append(ANN, "run", {"run": run, "text": "x" * (MOST_BYTES // 2)})
    assert bodies(store, ANN)[-1]["run"] == 3


def test_what_was_just_written_stays_whatever_its_size(store):
    store.append(ANN, "run", {"run": 1})
    store.append(ANN, "run", {"text": "x" * (MOST_BYTES + 1)})
    assert [len(body.get("text", "")) for body in bodies(store, ANN)] == [MOST_BYTES + 1]


def test_clear_leaves_no_byte_behind(store, path):
    for run in range(50):
        store.append(ANN, "run", {"said": f"Nobody shall read this again, {run} " * (1 + run * 20)})
        store.append(BOB, "run", {"said": "This one stays."})
    assert b"Nobody shall read this again" in bytes_on_disk(path)
    store.clear(ANN)
    assert store.events(ANN) == []
    assert b"Nobody shall" not in bytes_on_disk(path)
    assert len(bodies(store, BOB)) == 50


def test_clear_of_some_kinds_leaves_the_others(store):
    store.append(ANN, "run", {"run": 1})
    store.append(ANN, "edit", {"edit": 1})
    store.append(ANN, "decision", {"run": 1})
    store.clear(ANN, "run", "decision")
    assert bodies(store, ANN) == [{"edit": 1}]


def test_clear_says_when_another_server_still_reads_the_old_bytes(store, path):
    store.append(ANN, "run", {"run": 1})
    store._connection.execute("pragma busy_timeout = 0")
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("begin")
    reader.execute("select count(*) from events").fetchone()
    with pytest.raises(NotKept, match="the events are deleted"):
        store.clear(ANN)
    reader.close()
    assert store.events(ANN) == []
    store.clear(ANN)


@pytest.mark.parametrize("spoil", ["a file in the way", "a folder of that name", "another kind of file"])
def test_without_a_file_to_write_to_the_store_is_in_memory_and_says_why(tmp_path, clock, spoil):
    path = tmp_path / "kept" / "visitors.sqlite3"
    if spoil == "a file in the way":
        path.parent.write_text("not a folder")
    elif spoil == "a folder of that name":
        path.mkdir(parents=True)
    else:
        path.parent.mkdir()
        path.write_text("These are my notes. " * 100)
    store = open_at(path, clock)
    assert store.problem.startswith("visitors.sqlite3 cannot be written (")
    store.append(ANN, "run", {"run": 1})
    assert bodies(store, ANN) == [{"run": 1}]
    store.clear(ANN)
    assert bodies(store, ANN) == []
    store.close()
    assert not path.is_file() or path.read_text() == "These are my notes. " * 100


def test_a_store_that_can_no_longer_write_says_so_and_keeps_what_it_has(store):
    store.append(ANN, "run", {"run": 1})
    store._connection.execute(f"pragma max_page_count = {store._connection.execute('pragma page_count').fetchone()[0]}")
    with pytest.raises(NotKept, match="database or disk is full"):
        store.append(ANN, "run", {"text": "x" * 100_000})
    assert bodies(store, ANN) == [{"run": 1}]


def test_what_json_cannot_write_leaves_the_store_as_it_was(store):
    with pytest.raises(TypeError):
        store.append(ANN, "run", {"run": object()})
    store.append(ANN, "run", {"run": 1})
    assert bodies(store, ANN) == [{"run": 1}]


def test_a_hundred_visitors_of_one_server_write_at_once(store):
    def visit(visitor):
        for run in range(5):
            store.append(visitor, "run", {"visitor": visitor, "run": run})

    threads = [threading.Thread(target=visit, args=[f"visitor-{number}"]) for number in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(100):
        assert bodies(store, f"visitor-{number}") == [{"visitor": f"visitor-{number}", "run": run} for run in range(5)]


@pytest.mark.parametrize("servers", [1, 2])
def test_kill_9_amid_a_hundred_writing_visitors_loses_no_run_that_was_acknowledged(path, servers):
    share = 100 // servers
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, path, str(at * share), str((at + 1) * share)],
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        for at in range(servers)
    ]
    lines = []
    for writer in writers:
        lines += [writer.stdout.readline() for _ in range(1500 // servers)]
    for writer in writers:
        os.kill(writer.pid, signal.SIGKILL)
    for writer in writers:
        lines += writer.stdout.readlines()
        writer.stdout.close()
        assert writer.wait() == -signal.SIGKILL
    shown = {tuple(line.decode().split()) for line in lines if line.endswith(b"\n")}
    assert len(shown) >= 1500 // servers * servers

    found = open_at(path, lambda: 0.0)  # a clock by which nothing is old
    kept = {(f"visitor-{n}", str(body["run"])) for n in range(100) for body in bodies(found, f"visitor-{n}")}
    assert shown - kept == set()
    assert found._connection.execute("pragma integrity_check").fetchall() == [("ok",)]
    found.append("visitor-0", "run", {"run": "after"})
    found.close()
