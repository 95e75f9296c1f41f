#!/usr/bin/env python3
"""Feeds `drawbridge review -` piece by piece: answers come when a review is complete, in order, whatever the pieces are.

    test_stream.py BUILD
"""
import glob, json, os, random, select, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

REVIEWS = [open(path, "rb").read() for path in sorted(glob.glob(os.path.join(HERE, "..", "reviews", "*.json")))]


def start(build):
    return subprocess.Popen([os.path.join(build, "drawbridge"), "review", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def uid(line):
    return json.loads(line)["response"]["uid"]


def test_answers_come_at_once(tap, build):
    """With the pipe still open, each review is answered before the next is sent, without a line break behind it."""
    program = start(build)
    for number, review in enumerate(REVIEWS[:8]):
        program.stdin.write(review.rstrip())
        program.stdin.flush()
        ready, _, _ = select.select([program.stdout], [], [], 20)
        line = program.stdout.readline() if ready else b"{}"
        tap.ok(ready and uid(line) == json.loads(review)["request"]["uid"], f"review {number} is answered while the pipe is open")
    program.stdin.close()
    tap.ok(program.wait(20) == 0 and program.stdout.read() == b"", "and nothing more comes at the end")


def run(build, pieces):
    """Returns (standard output, standard error, exit status). Output goes to files, so that it never blocks the program."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        program = subprocess.Popen([os.path.join(build, "drawbridge"), "review", "-"], stdin=subprocess.PIPE, stdout=out, stderr=err)
        for piece in pieces:
            program.stdin.write(piece)
            program.stdin.flush()
        program.stdin.close()
        status = program.wait(300)
        return out.seek(0) or out.read(), err.seek(0) or err.read(), status


def test_any_pieces_give_the_same_answers(tap, build):
    text = b"\n".join(REVIEWS)
    whole = run(build, [text])
    dice = random.Random(7)
    for round in range(6):
        pieces, at = [], 0
        while at < len(text):
            size = dice.choice([1, 2, 3, 7, 100, 5000])
            pieces.append(text[at:at + size])
            at += size
        tap.ok(run(build, pieces) == whole, f"pieces of random sizes, round {round}")


def test_hostile_streams_end_soon(tap, build):
    """Input on which a careless reader is quadratic."""
    good = REVIEWS[5].rstrip()
    streams = {
        "a million open brackets": b"[" * 1000000,
        "a brace on each of 300,000 lines": b"{\n" * 300000,
        "a review behind 200,000 broken lines": b"{]\n" * 200000 + good,
        "an open string of 19 MiB": b'{"a":"' + b"x" * (19 << 20),
        "21 MiB of one document": b'{"a":"' + b"x" * (21 << 20) + b'"}\n' + good,
        "21 MiB of white space": b" " * (21 << 20) + good,
        "NUL bytes": b"\0" * 1000000,
        "no line ends": b"x" * (40 << 20),
    }
    for name, text in streams.items():
        began = time.monotonic()
        out, err, status = run(build, [text])
        took = time.monotonic() - began
        answered = [uid(line) for line in out.splitlines()]
        expected = [json.loads(good)["request"]["uid"]] if text.endswith(good) else []
        tap.ok(answered == expected and took < 30 and status == (0 if name.endswith("white space") else 2), f"{name}: {took:.1f} s, status {status}, {len(answered)} answers")


def test_largest_documents(tap, build):
    """A document of as many bytes as are allowed, wherever it lies in the input, and one more."""
    limit = 20 << 20
    small = REVIEWS[5].rstrip()
    head, tail = small.rsplit(b"}", 1)[0], b"}"
    for before in 0, 1, 500, 65536:
        for size, good in (limit - 1, True), (limit, True), (limit + 1, False):
            large = head + b',"pad":"' + b"x" * (size - len(head) - len(tail) - 9) + b'"' + tail
            out, err, status = run(build, [b" " * before + b"\n" + small + b"\n" + large + b"\n" + small + b"\n" + small])
            answers = len(out.splitlines())
            tap.ok(len(large) == size and answers == (4 if good else 3) and status == (0 if good else 2) and (good or b"larger than 20 MiB" in err),
                   f"{size} bytes behind {before}: {answers} answers, status {status}")


def main(build):
    tap = Tap()
    test_answers_come_at_once(tap, build)
    test_any_pieces_give_the_same_answers(tap, build)
    test_hostile_streams_end_soon(tap, build)
    test_largest_documents(tap, build)
    return tap.done()


sys.exit(main(sys.argv[1]))
