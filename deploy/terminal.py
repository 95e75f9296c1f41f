#!/usr/bin/env python3
"""Draws text from standard input as a terminal, as SVG on standard output: how deploy/demo.svg was made of `make demo`.

    terminal.py [TITLE]
"""
import html, sys

WIDTH, LINE, LEFT, TOP = 8.4, 19, 18, 52
COLOURS = [("    allowed", "#8fd18b"), ("    denied", "#f28b82"), ("      * ", "#e8c07d"), ("  $ ", "#8ab4f8")]


def colour(line):
    return next((colour for start, colour in COLOURS if line.startswith(start)), "#d7dae0")


def main(title):
    lines = [line.rstrip("\n") for line in sys.stdin]
    cut = [line if len(line) <= 118 else line[:115] + "..." for line in lines]
    width, height = int(LEFT * 2 + WIDTH * max(map(len, cut))), TOP + LINE * len(cut) + 12
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">')
    print(f'<rect width="{width}" height="{height}" rx="8" fill="#1f2228"/><rect width="{width}" height="32" rx="8" fill="#2d3139"/>')
    for i, dot in enumerate(("#f28b82", "#e8c07d", "#8fd18b")):
        print(f'<circle cx="{20 + 20 * i}" cy="16" r="6" fill="{dot}"/>')
    print(f'<text x="{width / 2}" y="21" fill="#9aa0a6" text-anchor="middle">{html.escape(title)}</text>')
    for i, line in enumerate(cut):
        if line:
            print(f'<text x="{LEFT}" y="{TOP + LINE * i}" fill="{colour(line)}" xml:space="preserve">{html.escape(line)}</text>')
    print("</svg>")


main(sys.argv[1] if len(sys.argv) > 1 else "drawbridge")
