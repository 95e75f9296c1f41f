#!/usr/bin/env python3
"""Draws text from standard input as a terminal, as SVG on standard output: how deploy/demo.svg was made of `make -s demo`, and
deploy/lint.svg of `drawbridge lint --color always`.

    terminal.py [TITLE]
"""
import html, re, sys

WIDTH, LINE, LEFT, TOP = 8.4, 19, 18, 52
COLOURS = [("    allowed", "#8fd18b"), ("    denied", "#f28b82"), ("      * ", "#e8c07d"), ("  $ ", "#8ab4f8")]
ESCAPES = {"1": "#ffffff", "1;31": "#f28b82", "1;33": "#e8c07d", "1;32": "#8fd18b", "1;34": "#8ab4f8"}


def pieces(line):
    """(colour, text) of a line, by its escape sequences or by how it begins."""
    now = colour(re.sub(r"\x1b\[[0-9;]*m", "", line))
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            now = ESCAPES.get(part[2:-1], "#d7dae0")
        elif part:
            yield now, part


def plain(line):
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def colour(line):
    return next((colour for start, colour in COLOURS if line.startswith(start)), "#d7dae0")


def main(title):
    lines = [line.rstrip("\n") for line in sys.stdin]
    cut = [line if len(plain(line)) <= 118 else line[:115 + len(line) - len(plain(line))] + "..." for line in lines]
    width, height = int(LEFT * 2 + WIDTH * max(len(plain(line)) for line in cut)), TOP + LINE * len(cut) + 12
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">')
    print(f'<rect width="{width}" height="{height}" rx="8" fill="#1f2228"/><rect width="{width}" height="32" rx="8" fill="#2d3139"/>')
    for i, dot in enumerate(("#f28b82", "#e8c07d", "#8fd18b")):
        print(f'<circle cx="{20 + 20 * i}" cy="16" r="6" fill="{dot}"/>')
    print(f'<text x="{width / 2}" y="21" fill="#9aa0a6" text-anchor="middle">{html.escape(title)}</text>')
    for i, line in enumerate(cut):
        if line:
            spans = "".join(f'<tspan fill="{fill}">{html.escape(text)}</tspan>' for fill, text in pieces(line))
            print(f'<text x="{LEFT}" y="{TOP + LINE * i}" xml:space="preserve">{spans}</text>')
    print("</svg>")


main(sys.argv[1] if len(sys.argv) > 1 else "drawbridge")
