#!/usr/bin/env python3
"""What parsing and validating one review costs, without transport: processor time beside instructions, and what share of them each stage takes.

    engine.py BUILD            prints a table, and writes it to BUILD/bench/engine.md
    engine.py --keep BUILD     writes instructions.tsv, with which test_instructions.py compares

Instructions do not depend on what else the machine does; times do, so they are the best of many short runs.
"""
import argparse, os, subprocess, sys

import bodies, stages

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "instructions.tsv")
ROUNDS = 9  # of a tenth of a second each


def compiler():
    """What was built with, as it names itself."""
    return subprocess.run([os.environ.get("CC", "cc"), "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]


def write_bodies(folder):
    os.makedirs(folder, exist_ok=True)
    for name, body in bodies.engine().items():
        path = os.path.join(folder, name + ".json")
        with open(path, "wb") as file:
            file.write(body)
        yield name, path


def count(build):
    """Bytes, instructions and stages by body."""
    program = os.path.join(build, "bench_review")
    return {name: (os.path.getsize(path), *stages.count(program, path)) for name, path in write_bodies(os.path.join(build, "bench"))}


def read_kept():
    """The compiler, and instructions by body."""
    with open(KEPT, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return lines[0][2:], {name: int(number) for name, number in (line.split("\t") for line in lines[1:])}


def keep(counted):
    with open(KEPT, "w", encoding="utf-8") as file:
        file.write(f"# {compiler()}\n" + "".join(f"{name}\t{total}\n" for name, (_, total, _) in counted.items()))


def best_time(build, name):
    """Microseconds for one review: the least of several runs."""
    command = [os.path.join(build, "bench_review"), "0.1", os.path.join(build, "bench", name + ".json")]
    outputs = [subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split() for _ in range(ROUNDS)]
    return min(float(words[3]) for words in outputs)


def table(build, counted):
    names = [name for name, _ in stages.STAGES if any(name in of for _, _, of in counted.values())]
    yield "| review | bytes | µs | GB/s | instructions a byte | " + " | ".join(names) + " |"
    yield "|---" * (5 + len(names)) + "|"
    for name, (size, total, of) in counted.items():
        time = best_time(build, name)
        shares = " | ".join(f"{100 * of.get(stage, 0) / total:.0f} %" for stage in names)
        yield f"| {name} | {size:,} | {time:.1f} | {size / time / 1000:.2f} | {total / size:.1f} | {shares} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("build")
    arguments = parser.parse_args()
    counted = count(arguments.build)
    if arguments.keep:
        keep(counted)
        return
    lines = list(table(arguments.build, counted))
    print("\n".join(lines))
    with open(os.path.join(arguments.build, "bench", "engine.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
