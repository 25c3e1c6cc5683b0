"""What every worker process in Python has in common; src/operations/batch/processors/frames.ts has the protocol.

It is told what to do on descriptor 3 and answers on 4, so that whatever a function prints is no part of it. A program
calls serve(open_work): open_work gets what the worker was told first and returns work(items, teller), which tells of every
item in its order. Python 3.8 or newer, nothing but the standard library.
"""

import array
import json
import os
import signal
import sys
import threading
import time
import traceback

INPUT, OUTPUT = 3, 4
MAX_PART_BYTES = 4 * 1024 * 1024
# A record that takes longer is told of at once: telling costs less than doing it again.
SLOW_MS = 10
MAX_OUTPUT_BYTES = 16 * 1024 * 1024
MAX_MESSAGE_CHARS = 2000
MAX_SAFE_INTEGER = 2**53 - 1


def serve(open_work):
    watch_parent()
    requests = os.fdopen(INPUT, "rb", 1 << 18)
    opening = json.loads(requests.readline())["open"]
    try:
        if sys.version_info < (3, 8):
            raise RuntimeError("Python %s, expected 3.8 or newer" % sys.version.split()[0])
        work = open_work(opening)
    except BaseException as error:
        traceback.print_exc()  # before it is said: whoever hears it ends this process
        say({"problem": message_of(error)})
        os._exit(1)
    say({"ready": True, "facts": getattr(work, "facts", {})})
    for line in iter(requests.readline, b""):
        header = json.loads(line)
        body = requests.read(header["bytes"])
        teller = Teller(header)
        work(read_items(body, header["first_line"], opening["id_field"]), teller)
        teller.finish()


def watch_parent():
    """Standard input is a pipe nothing is ever written to: it ends when the parent does, even by KILL.

    A thread looks, because a function may keep the main one busy for ever. The whole group goes: what the function has
    started too. The function itself reads from nothing.
    """
    lifeline = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)

    def watch():
        while os.read(lifeline, 1) != b"":
            pass
        os.kill(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def say(header, *bodies):
    header["bytes"] = sum(map(len, bodies))
    frame = memoryview(b"".join((json.dumps(header).encode(), b"\n") + bodies))
    while frame:
        frame = frame[os.write(OUTPUT, frame) :]


class Item:
    """One line of the input that is not blank. record is None where problem, a pair of class and message, says why."""

    __slots__ = ("line", "source", "id_text", "record", "problem")

    def __init__(self, line, source, id_text, record, problem):
        self.line = line
        self.source = source
        self.id_text = id_text
        self.record = record
        self.problem = problem


def read_items(body, first_line, id_field):
    return [
        read_item(source, line, id_field)
        for line, source in enumerate(body.split(b"\n"), first_line)
        if source and not source.isspace()
    ]


def read_item(source, line, id_field):
    try:
        record = decode(source.decode("utf-8"))
    except UnicodeDecodeError:
        return Item(line, source, str(line), None, ("invalid_json", "bytes that are no UTF-8"))
    except (ValueError, RecursionError) as error:
        return Item(line, source, str(line), None, ("invalid_json", str(error)))
    if not isinstance(record, dict):
        problem = "%s, expected an object" % NAMES.get(type(record), "a number")
        return Item(line, source, str(line), None, ("not_an_object", problem))
    return Item(line, source, id_text_of(record.get(id_field), line), record, None)


NAMES = {type(None): "null", list: "an array", str: "a string", bool: "a boolean"}


def id_text_of(value, line):
    """How a record is called, as JSON: the same text as batch-rows.ts makes of it."""
    if isinstance(value, str) and value != "":
        text = TO_TEXT.encode(value)
        return text if is_unicode(text) else TO_ASCII.encode(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(line)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER else repr(value)
    return str(value)


def is_unicode(text):
    try:
        text.encode("utf-8")
        return True
    except UnicodeEncodeError:  # half of a pair of surrogates, which JSON can escape and UTF-8 cannot hold
        return False


def refuse_constant(name):
    raise ValueError("%s is no JSON" % name)


def plain(value):
    """What numbers and arrays of other libraries are in JSON."""
    for way in ("tolist", "item"):
        convert = getattr(value, way, None)
        if callable(convert):
            return convert()
    raise TypeError("a value of type %s is no JSON" % type(value).__name__)


decode = json.JSONDecoder(parse_constant=refuse_constant).decode
TO_TEXT = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain)
TO_ASCII = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=plain)


class Teller:
    """Rows of one chunk, handed on in parts: when it is time, when there are many, and at the end."""

    def __init__(self, header):
        self.first_line = header["first_line"]
        self.line_count = header["line_count"]
        self.tell_s = header["tell_ms"] / 1000
        # Whether each record is to be done by itself, so that the one that does not end is known.
        self.is_careful = header["tell_ms"] == 0
        self.told_lines = 0
        self.begin()

    def begin(self):
        self.results, self.errors, self.ids = [], [], []
        self.latencies_ms = array.array("d")
        self.classes = {}
        self.tallies = []
        self.bytes = 0
        self.told_at = time.monotonic()

    def output(self, item, output, latency_ms):
        """What a function answered: anything that is JSON, or an exception."""
        if isinstance(output, BaseException):
            return self.failed(item, "thrown", message_of(output), latency_ms)
        try:
            row = ('{"record_id":%s,"output":%s}\n' % (item.id_text, TO_TEXT.encode(output))).encode("utf-8")
        except UnicodeEncodeError:
            row = ('{"record_id":%s,"output":%s}\n' % (item.id_text, TO_ASCII.encode(output))).encode("utf-8")
        except (TypeError, ValueError, RecursionError) as error:
            return self.failed(item, "invalid_output", "no JSON: %s" % error, latency_ms)
        self.row(item, row, latency_ms)

    def text(self, item, text, latency_ms):
        """What is JSON already, in ASCII."""
        self.row(item, ('{"record_id":%s,"output":%s}\n' % (item.id_text, text)).encode("utf-8"), latency_ms)

    def row(self, item, row, latency_ms):
        if len(row) > MAX_OUTPUT_BYTES:
            problem = "an output of %d bytes, expected at most %d" % (len(row), MAX_OUTPUT_BYTES)
            return self.failed(item, "invalid_output", problem, latency_ms)
        self.results.append(row)
        self.latencies_ms.append(latency_ms)
        self.after(item, row, latency_ms)

    def failed(self, item, error_class, message, latency_ms=None):
        error = TO_ASCII.encode({"class": error_class, "message": message[:MAX_MESSAGE_CHARS]})
        row = ('{"record_id":%s,"line":%d,"error":%s}\n' % (item.id_text, item.line, error)).encode("utf-8")
        self.errors.append(row)
        self.classes[error_class] = self.classes.get(error_class, 0) + 1
        if latency_ms is not None:
            self.latencies_ms.append(latency_ms)
        self.after(item, row, latency_ms)

    def unreadable(self, item):
        self.failed(item, *item.problem)

    def after(self, item, row, latency_ms):
        self.ids.append(item.id_text)
        self.bytes += len(row)
        is_slow = latency_ms is not None and latency_ms > SLOW_MS
        if is_slow or self.bytes > MAX_PART_BYTES or time.monotonic() - self.told_at >= self.tell_s:
            self.tell(item.line - self.first_line + 1, False)

    def count(self, tallies):
        """What its kind counts besides, of items up to the one that is told of next: it goes with the part that has them."""
        self.tallies.extend(tallies)

    def finish(self):
        self.tell(self.line_count, True)

    def tell(self, lines, is_last):
        results, errors = b"".join(self.results), b"".join(self.errors)
        ids = "".join(id_text + "\n" for id_text in self.ids).encode("utf-8")
        latencies = self.latencies_ms.tobytes()
        header = {
            "lines": lines - self.told_lines,
            "done": len(self.results),
            "failed": len(self.errors),
            "classes": self.classes,
            "results": len(results),
            "errors": len(errors),
            "ids": len(ids),
            "latencies": len(latencies),
            "is_last": is_last,
            "is_waiting": False,
        }
        if self.tallies:
            header["tally"] = {"parts": self.tallies}
        self.told_lines = lines
        self.begin()
        say(header, results, errors, ids, latencies)


def message_of(error):
    try:
        return "%s: %s" % (type(error).__name__, error)
    except Exception:
        return "%s, which cannot be shown" % type(error).__name__
