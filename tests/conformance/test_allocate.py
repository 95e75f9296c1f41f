#!/usr/bin/env python3
"""Compares what `drawbridge allocate --worlds` says of worlds with what Kubernetes' allocator and scheduler say.

    test_allocate.py BUILD [CASES...]

allocate.jsonl.gz: worlds with claims, which k8s.io/dynamic-resource-allocation v0.35.4 and v0.36.3 (structured) allocated on each node (those named kept-, about
amounts that equal a policy's default to Go, v0.37.1, too); allocate_pods.jsonl.gz:
worlds with pods, which the DynamicResources plugin of k8s.io/kubernetes v1.35.4 and v1.36.3 scheduled one after the other. Upstream's code ran with sorted pools and
slices, and with the slices as far as it leaves the order to chance. One world a line, with `expect` by release. allocate_chance.jsonl.gz: worlds
that chance made, which 1.36 and 1.37.1 answer otherwise; `oracle/diff_allocate.py --write` makes them (--count 4000 --seed 137). Of ../shared, if it is there, all worlds. Share IDs
are numbered, and names and UIDs that API servers draw are left out; of a world whose search takes too long for upstream, the steps are not known. One test a world
and release.
"""
import gzip, json, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

FILES = ["allocate.jsonl.gz", "allocate_chance.jsonl.gz", "allocate_pods.jsonl.gz"]
SHARED = [os.path.join(os.path.dirname(ROOT), "shared", "conformance", "allocate", name) for name in ("cases.jsonl.gz", "pods.jsonl.gz")]
NOT_ASKED = ("expect", "orders", "tags", "cel")
DRAWN = re.compile(r'(extended-resources-gen|"uid-)\d+')


def read_worlds(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def ask(build, worlds, version):
    """The answers, in order."""
    lines = "".join(json.dumps({name: value for name, value in world.items() if name not in NOT_ASKED}) + "\n" for world in worlds)
    done = subprocess.run([os.path.join(build, "drawbridge"), "allocate", "--worlds", "--kubernetes-version", version, "-"], input=lines.encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    lines = done.stdout.splitlines()
    if done.returncode or done.stderr or len(lines) != len(worlds):
        sys.exit(f"drawbridge allocate: status {done.returncode}, {len(lines)} answers to {len(worlds)} worlds\n{done.stderr.decode()}")
    return [json.loads(line) for line in lines]


def number_shares(answer):
    shares = {}
    text = json.dumps(answer, sort_keys=True)
    return re.sub(r'("shareID": ")([^"]*)', lambda found: found[1] + str(shares.setdefault(found[2], len(shares))), text)


def node_of(answer, with_steps):
    """A node's answer without what is empty, and without the number of search steps where upstream's is not known."""
    kept = {name: value for name, value in answer.items() if value not in (None, [], "", False) or name == "ok"}
    if not with_steps:
        kept.pop("calls", None)
    return number_shares(kept)


def of_claims(want, got):
    """Both answers in the same form."""
    steps = [node.get("calls", -1) != -1 for node in want["nodes"]]
    return [[answer["variant"]] + [node_of(node, known) for node, known in zip(answer["nodes"], steps)] + [len(answer["nodes"])] for answer in (want, got)]


def of_pods(want, got):
    return [[DRAWN.sub(r"\1N", json.dumps(pod, sort_keys=True)) for pod in answer["pods"]] for answer in (want, got)]


def test_worlds(tap, build, worlds, release):
    for world, got in zip(worlds, ask(build, worlds, release.rsplit(".", 1)[0])):
        want = world["expect"][release]
        same = got.get("id") == world["id"] and ("pods" in got) == ("pods" in world) and "error" not in got
        wanted, had = (of_pods if "pods" in world else of_claims)(want, got) if same else (want, got)
        different = [pair for pair in zip(wanted, had) if pair[0] != pair[1]] if same else [(want, got)]
        tap.ok(same and wanted == had, f"{world['id']} in {release}", "\n".join(f"want {a}\nhave {b}" for a, b in different))


def main(build, *paths):
    tap = Tap()
    for path in paths or [os.path.join(HERE, name) for name in FILES] + [path for path in SHARED if os.path.exists(path)]:
        worlds = read_worlds(path)
        releases = sorted({release for world in worlds for release in world["expect"]})
        tap.ok(len(worlds) > 0 and len(releases) > 1, f"{os.path.basename(path)} has worlds for several releases")
        for release in releases:
            test_worlds(tap, build, [world for world in worlds if release in world["expect"]], release)
    return tap.done()


sys.exit(main(*sys.argv[1:]))
