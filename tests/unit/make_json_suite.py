#!/usr/bin/env python3
"""Writes json_suite.h: the texts of JSONTestSuite as a C table, with the byte at which each must be refused.

    make_json_suite.py FOLDER > json_suite.h

FOLDER holds the files (names as there) and README.md, whose "refused at N" for the i_ files are checked against the
offsets found here. The offsets come from a recogniser of its own, below, which shares nothing with src/doc/json.c: it goes
through the text character by character, and Python's own decoder says what is UTF-8.
"""
import os, re, sys

BUILT_IN_CODE = {"n_structure_100000_opening_arrays.json", "n_structure_open_array_object.json"}
DEPTH = 64
LONGEST_LINE = 150


class Refused(Exception):
    """At an offset: args[0]."""


class Text:
    def __init__(self, data, strict, depth):
        self.data, self.strict, self.depth, self.at = data, strict, depth, 0

    def peek(self):
        return self.data[self.at:self.at + 1]

    def take(self, allowed):
        """One byte out of `allowed`."""
        if self.at == len(self.data) or self.data[self.at] not in allowed:
            raise Refused(self.at)
        self.at += 1

    def blank(self):
        while self.peek() and self.peek() in b" \t\r\n":
            self.at += 1

    def digits(self):
        self.take(b"0123456789")
        while self.peek().isdigit():
            self.at += 1

    def number(self):
        if self.peek() == b"-":
            self.at += 1
        if self.peek() == b"0":
            self.at += 1
        else:
            self.digits()
        if self.peek() == b".":
            self.at += 1
            self.digits()
        if self.peek() in (b"e", b"E"):
            self.at += 1
            if self.peek() in (b"+", b"-"):
                self.at += 1
            self.digits()

    def unit(self):
        """The UTF-16 unit of an escape, the text being behind its backslash; None for an escape by letter."""
        if self.peek() != b"u":
            self.take(b'"\\/bfnrtu')
            return None
        self.at += 1
        for _ in range(4):
            self.take(b"0123456789abcdefABCDEF")
        return int(self.data[self.at - 4:self.at], 16)

    def escape(self):
        start = self.at
        self.at += 1
        unit = self.unit()
        if unit is None or not self.strict or not 0xD800 <= unit <= 0xDFFF:
            return
        rest = self.data[self.at:self.at + 2]
        if unit < 0xDC00 and rest in (b"", b"\\") and self.at + len(rest) == len(self.data):
            raise Refused(len(self.data))
        if unit < 0xDC00 and rest == b"\\u":
            self.at += 1
            if 0xDC00 <= self.unit() <= 0xDFFF:
                return
        raise Refused(start)

    def character(self):
        if self.data[self.at] < 0x80 or not self.strict:
            self.at += 1
            return
        try:
            self.data[self.at:].decode()
            end = len(self.data)
        except UnicodeDecodeError as error:
            if error.start == 0:
                raise Refused(len(self.data) if error.reason == "unexpected end of data" else self.at)
            end = self.at + error.start
        self.at += len(self.data[self.at:end].decode()[0].encode())

    def string(self):
        start = self.at
        self.take(b'"')
        while self.peek() != b'"':
            if self.at == len(self.data) or self.data[self.at] < 0x20:
                raise Refused(self.at)
            if self.peek() == b"\\":
                self.escape()
            else:
                self.character()
        self.at += 1
        return self.data[start:self.at]

    def value(self, level):
        byte = self.peek()
        if byte == b'"':
            self.string()
        elif byte and byte in b"[{":
            if level == self.depth:
                raise Refused(self.at)
            self.container(level + 1, b"}" if byte == b"{" else b"]")
        elif byte and byte in b"tfn":
            for expected in {b"t": b"true", b"f": b"false", b"n": b"null"}[byte]:
                self.take(bytes([expected]))
        else:
            if not byte or byte not in b"-0123456789":
                raise Refused(self.at)
            self.number()

    def container(self, level, end):
        names = {}
        self.at += 1
        self.blank()
        if self.peek() == end:
            self.at += 1
            return
        while True:
            self.blank()
            if end == b"}":
                start = self.at
                name = self.string()
                if self.strict and name in names:
                    raise Refused(start)
                names[name] = True
                self.blank()
                self.take(b":")
                self.blank()
            self.value(level)
            self.blank()
            self.take(b"," + end)
            if self.data[self.at - 1:self.at] == end:
                return


def refused_at(data, strict, depth):
    """Where `data` is refused, or -1. Names are compared as they are spelled: no text of the suite repeats one otherwise."""
    text = Text(data, strict, depth)
    try:
        text.blank()
        text.value(0)
        text.blank()
        if text.at < len(data):
            raise Refused(text.at)
    except Refused as refused:
        return refused.args[0]
    return -1


def decided_offsets(readme):
    """Name -> offset, from the rows of README.md whose last column says "refused at N"."""
    decided = {}
    for row in re.findall(r"^\|(.*)\|.*\| refused at (\d+) \|$", readme, re.M):
        for name in re.findall(r"`(i_[^`]*)`", row[0]):
            decided[name + ".json"] = int(row[1])
    return decided


def literal(data, room):
    """A C string literal; octal escapes, since hexadecimal ones have no end."""
    pieces, line = [], ""
    for byte in data:
        piece = {0x22: '\\"', 0x5C: "\\\\"}.get(byte, chr(byte) if 0x20 <= byte < 0x7F and byte != 0x3F else "\\%03o" % byte)
        if len(line) + len(piece) > room:
            pieces.append(line)
            line, room = "", LONGEST_LINE - 10
        line += piece
    return "\n        ".join('"%s"' % piece for piece in pieces + [line])


def main():
    folder = sys.argv[1]
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        decided = decided_offsets(file.read())
    print("""/* Made by make_json_suite.py from JSONTestSuite (https://github.com/nst/JSONTestSuite, folder test_parsing, commit 1ef36fa), which is
 * Copyright (c) 2016 Nicolas Seriot, under the MIT licence in json_suite.LICENSE. The bytes are unchanged.
 * A row: name, where the strict and where the review profile refuses (-1: accepts), text. */""")
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".json") or name in BUILT_IN_CODE:
            continue
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        strict, review = (refused_at(data, strict, DEPTH) for strict in (True, False))
        if name[0] == "i":
            assert decided.pop(name, -1) == strict, (name, strict)
        head = '{ "%s", %d, %d, BYTES(' % (name[:-5], strict, review)
        print(head + literal(data, LONGEST_LINE - len(head)) + ") },")
    assert not decided, decided


main()
