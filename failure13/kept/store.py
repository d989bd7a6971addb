"""What visitors did, kept in one SQLite file: a table of events, from which all else is worked out.

An event is written before the page shows what was done, so a server that is killed loses nothing that anybody saw:
SQLite hands its log to the operating system with every append. A power cut can take the last moments and never more;
waiting for the disk each time would make every visitor wait while any other types.
"""

import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from failure13 import calls

SECONDS_KEPT = 7 * 24 * 60 * 60
MOST_BYTES = 5_000_000  # of one visitor's events; the oldest go first
ROOM_AFTER_PRUNING = MOST_BYTES // 10  # so that not every append has to prune again
MOST_LEVELS = 2 * calls.MOST_LEVELS  # of objects and lists in a body; what a visitor did has far fewer
PATIENCE = 10.0  # seconds to wait for another server that is writing to the same file
MOST_TRIES = 100  # to open a file that others are opening
# A deleted event is overwritten (secure_delete), and its number is never given again (AUTOINCREMENT).
SETUP = """
pragma synchronous = normal;
pragma secure_delete = on;
create table if not exists events (
    number integer primary key autoincrement, visitor text not null, at real not null, kind text not null,
    size integer not null, body text not null
);
create index if not exists events_of_visitor on events (visitor, number, size);
create index if not exists events_by_age on events (at);
"""


class Event(NamedTuple):
    """One thing that a visitor did: its number, the time in seconds, its kind, and a JSON object that says the rest.

    The numbers of events only grow, and no two events of a file have the same.
    """

    number: int
    at: float
    kind: str
    body: dict[str, Any]


class NotKept(OSError):
    """Why events could not be written, read or deleted."""


class Store:
    """The events of every visitor. Any thread may call any method, and every method is about one visitor alone.

    `problem` says why events are kept in memory only, and are lost when the server ends; it is "" where a file keeps
    them.
    """

    def __init__(self, connection: sqlite3.Connection, clock: Callable[[], float], problem: str = "") -> None:
        self.problem = problem
        self._connection = connection
        self._clock = clock
        self._lock = threading.Lock()

    def append(self, visitor_id: str, kind: str, body: dict[str, Any], instead_of: Sequence[int] = ()) -> int:
        """Write an event and return its number; when this returns, a killed server no longer loses it.

        The same transaction deletes the visitor's events with the numbers `instead_of`, then everybody's that are older
        than seven days, then this visitor's oldest until at most 5 MB are left; the new event stays whatever its size.
        Raises NotKept when it cannot be written, such as when the disk is full.
        """
        visitor, text = _known_as(visitor_id), json.dumps(body)
        with self._writing() as run:
            now = self._clock()
            run("delete from events where at < ?", (now - SECONDS_KEPT,))
            for number in instead_of:
                run("delete from events where number = ? and visitor = ?", (number, visitor))
            inserted = run(
                "insert into events (visitor, at, kind, size, body) values (?, ?, ?, ?, ?)",
                (visitor, now, kind, len(text), text),
            )
            number = inserted.lastrowid or 0
            _prune(run, visitor, number)
        return number

    def events(self, visitor_id: str) -> list[Event]:
        """The visitor's events of the last seven days, oldest first; raises NotKept when they cannot be read.

        A row that holds no event is passed over, so that it can do no more harm than to be missing.
        """
        with self._lock, _as_not_kept():
            rows = self._connection.execute(  # as bytes, for SQLite gives up on a text that is no UTF-8
                "select number, at, cast(kind as blob), cast(body as blob) from events "
                "where visitor = ? and at >= ? order by number",
                (_known_as(visitor_id), self._clock() - SECONDS_KEPT),
            ).fetchall()
        return [event for event in map(_event, rows) if event]

    def clear(self, visitor_id: str, *kinds: str) -> None:
        """Delete the visitor's events of these kinds, or all, so that no byte of them is left in the files.

        Raises NotKept when that was not possible.
        """
        visitor = _known_as(visitor_id)
        with self._writing() as run:
            if not kinds:
                run("delete from events where visitor = ?", (visitor,))
            for kind in kinds:
                run("delete from events where visitor = ? and kind = ?", (visitor, kind))
        with self._lock, _as_not_kept():
            busy, _, _ = self._connection.execute("pragma wal_checkpoint(truncate)").fetchone()
            if busy:
                raise NotKept("the events are deleted, and their bytes leave the file when no other server reads it")

    def close(self) -> None:
        """Close the file; nothing can be written after."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _writing(self) -> Generator[Callable[..., sqlite3.Cursor]]:
        with self._lock, _as_not_kept():
            self._connection.execute("begin immediate")
            try:
                yield self._connection.execute
                self._connection.execute("commit")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise


def open_at(path: str | Path, clock: Callable[[], float]) -> Store:
    """The store in the file at `path`, made where there is none; `clock` gives the time in seconds.

    Where the file cannot be written to or is none of ours, a store in memory, whose `problem` says why. Several servers
    may use one file.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # what visitors typed is nobody else's to read
        return Store(_connected(path), clock)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        return Store(_connected(":memory:"), clock, f"{path.name} cannot be written ({why})")


def _connected(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        _begin_log(connection)
        connection.executescript(SETUP)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _begin_log(connection: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log, which SQLite refuses at once while another server opens the file too."""
    for _ in range(MOST_TRIES):
        try:
            connection.execute("pragma journal_mode = wal")
        except sqlite3.OperationalError:
            connection.executescript("begin immediate; commit;")  # unlike the switch, this waits for the other
        else:
            return
    connection.execute("pragma journal_mode = wal")


def _known_as(visitor_id: str) -> str:
    """The id as the file has it: whoever reads the file cannot become the visitor."""
    return hashlib.sha256(visitor_id.encode("utf-8", "surrogatepass")).hexdigest()


def _event(row: tuple[int, float, bytes, bytes]) -> Event | None:
    """The event in a row, or None where its body is no JSON object that can be read."""
    number, at, kind, text = row
    try:
        body = json.loads(text)
        return Event(number, at, kind.decode(), body) if calls.is_object(body) and _is_shallow(body) else None
    except (ValueError, RecursionError):
        return None


def _is_shallow(value: Any, levels: int = MOST_LEVELS) -> bool:
    """Whether objects and lists lie in each other in at most `levels`, for Python gives up on very many."""
    if not calls.is_object(value) and not calls.is_list(value):
        return True
    inner = value.values() if calls.is_object(value) else value
    return levels > 0 and all(_is_shallow(each, levels - 1) for each in inner)


def _prune(run: Callable[..., sqlite3.Cursor], visitor: str, newest: int) -> None:
    (total,) = run("select sum(size) from events where visitor = ?", (visitor,)).fetchone()
    if total <= MOST_BYTES:
        return
    left, oldest = MOST_BYTES - ROOM_AFTER_PRUNING, newest
    for number, size in run("select number, size from events where visitor = ? order by number desc", (visitor,)):
        left -= size if isinstance(size, int) else 0  # a row that somebody else wrote
        if left < 0:
            break
        oldest = number
    run("delete from events where visitor = ? and number < ?", (visitor, oldest))


@contextmanager
def _as_not_kept() -> Generator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise NotKept(f"what you do cannot be kept now ({error})") from error
