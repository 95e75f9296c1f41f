#!/usr/bin/env python3
"""Puts clusters that chance makes to Kubernetes' own device allocator and to `drawbridge allocate --worlds`, and prints where they differ.

    diff_allocate.py [--count N] [--seed N] [--version 1.36] [--keep FILE] BUILD
    diff_allocate.py --write ../allocate_chance.jsonl.gz [--count N] [--seed N] BUILD     instead: worlds with what the real one of 1.35 to 1.37 answers

Answers are compared with the errors' words, devices, shares, configurations and node selectors, and with the number of steps of the
search. Nodes for which the real one takes longer than it may are only counted. --keep adds the worlds that differ to a file. The last line
is `N passed, N failed`. It needs build-oracle/allocate-VERSION, which `make diff-allocate` builds.
"""
import gzip, json, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.dirname(HERE))
import differ, generate_worlds

BATCH = 500
SHOWN = 5
WIDTH = 1500  # of an answer that is shown


def settled(node):
    """An answer in which what says nothing is left out, and shares are numbered."""
    said = {name: value for name, value in node.items() if value not in (None, [], "", False) or name == "ok"}
    numbers = {}
    text = json.dumps(said, sort_keys=True)
    return re.sub(r'"shareID": "[^"]*"', lambda found: f'"shareID": {numbers.setdefault(found[0], len(numbers))}', text)


def first_difference(there, here):
    """What both say of the first node for which they differ, and for how many nodes the real one took too long."""
    if there.get("error") or here.get("error") or there["variant"] != here["variant"] or len(there["nodes"]) != len(here["nodes"]):
        return (there, here), 0
    slow = sum(bool(node.get("timeout")) for node in there["nodes"])
    for theirs, ours in zip(there["nodes"], here["nodes"]):
        if theirs["calls"] < 0 or theirs.get("panic"):
            theirs = {name: value for name, value in theirs.items() if name != "calls"}
            ours = {name: value for name, value in ours.items() if name != "calls"}
        if not theirs.get("timeout") and settled(theirs) != settled(ours):
            return (theirs, ours), slow
    return None, slow


def release_of(version):
    """The release that is pinned for a version."""
    path = os.path.join(HERE, "go.mod" if version == "1.35" else f"versions/{version}.mod")
    with open(path, encoding="utf-8") as file:
        return re.search(r"k8s\.io/kubernetes v(1\.\S+)", file.read())[1]


def write(path, count, seed):
    """Worlds that the versions answer otherwise, but for the words of errors, as cases for ../test_allocate.py."""
    maker = generate_worlds.Maker(seed, 37)
    lines = [json.dumps(maker.world(i)) + "\n" for i in range(count)]
    answers = {version: differ.ask([os.path.join(ROOT, "build-oracle", f"allocate-{version}")], lines) for version in ("1.35", "1.36", "1.37")}
    kept = []
    for i, line in enumerate(lines):
        world, nodes = json.loads(line), {version: said[i]["nodes"] for version, said in answers.items()}
        lists = "DRAListTypeAttributes" in world["features"]
        told = {version: [(node["calls"], node["ok"], "error" in node) for node in nodes[version]] for version in ("1.36", "1.37")}
        if any(node.get("timeout") for said in nodes.values() for node in said) or told["1.36"] == told["1.37"]:
            continue
        # lists are no attributes of 1.35
        world["expect"] = {release_of(version): said[i] for version, said in answers.items() if not lists or version != "1.35"}
        kept.append(json.dumps(world, separators=(",", ":")) + "\n")
    with open(path, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        packed.write("".join(kept).encode())
    print(f"{len(kept)} of {count} worlds")


def main():
    parser = differ.arguments(__doc__, count=5000)
    parser.add_argument("--version", default="1.36")
    parser.add_argument("--keep")
    parser.add_argument("--write")
    options = parser.parse_args()
    seed = options.seed
    if options.write:
        return write(options.write, options.count, seed)
    oracle = [os.path.join(ROOT, "build-oracle", f"allocate-{options.version}")]
    program = [os.path.join(options.build, "drawbridge"), "allocate", "--worlds", "--kubernetes-version", options.version, "-"]
    maker, failed, slow, fit = generate_worlds.Maker(seed, int(options.version.split(".")[1])), 0, 0, 0
    for begin in range(0, options.count, BATCH):
        lines = [json.dumps(maker.world(i)) + "\n" for i in range(begin, min(begin + BATCH, options.count))]
        there, here = differ.ask(oracle, lines), differ.ask(program, lines)
        if len(there) != len(lines) or len(here) != len(lines):
            sys.exit(f"diff_allocate.py: {len(lines)} worlds, {len(there)} answers of Kubernetes, {len(here)} of drawbridge")
        for line, theirs, ours in zip(lines, there, here):
            difference, late = first_difference(theirs, ours)
            slow += late
            fit += any(node["ok"] for node in theirs["nodes"] or [])
            if not difference:
                continue
            failed += 1
            if options.keep:
                with open(options.keep, "a", encoding="utf-8") as file:
                    file.write(line)
            if failed <= SHOWN:
                print(f"{json.loads(line)['id']} of seed {seed}\n  Kubernetes: {json.dumps(difference[0])[:WIDTH]}\n  drawbridge: {json.dumps(difference[1])[:WIDTH]}")
    print(f"seed {seed}: {fit} of {options.count} worlds fit on a node; for {slow} nodes Kubernetes took too long")
    return differ.sum_up(options.count, failed)


if __name__ == "__main__":
    sys.exit(main())
