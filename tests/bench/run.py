#!/usr/bin/env python3
"""Measures the webhook beside a bare TLS server and a webhook in Go, and writes report.md, speed.svg and results.json to BUILD/bench.

    run.py [--rounds N] [--seconds S] [--requests N] [--without-go] BUILD

Peers take turns, body by body, round by round; ratios are taken within a round, and the median of the rounds counts. So a machine
that is busy with other things changes them little.
"""
import argparse, http.client, json, os, ssl, statistics, subprocess, sys, time

import bodies, peers, report

CASES = [  # body, connections, what it is
    ("csidriver-update", 8, "CSIDriver, update"),
    ("claim-create", 8, "ResourceClaim, create"),
    ("gpu8-create", 8, "ResourceSlice of 8 GPUs, create"),
    ("gpu-create", 4, "ResourceSlice of 128 GPUs, create"),
    ("nic-create", 4, "ResourceSlice of 128 virtual functions, create"),
    ("nic-update", 4, "the same, update of one"),
]


def check_answers(bench, peer, paths):
    """Nothing is measured that does not do its work: every review is allowed, and one that breaks a rule is not."""
    tls = ssl.create_default_context(cafile=os.path.join(bench.tls, "ca.crt"))
    host, port = peer.address.split(":")
    connection = http.client.HTTPSConnection(host, int(port), context=tls)
    for name in [case[0] for case in CASES] + ["refused"]:
        with open(paths[name], "rb") as file:
            connection.request("POST", "/validate", file.read(), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200 or json.loads(text)["response"]["allowed"] != (name != "refused"):
            raise SystemExit(f"{peer.name} answers {answer.status} to {name}: {text[:500]}")
    connection.close()


def measure(bench, servers, rounds, classes, seconds, *options):
    """A list of results for each server, one a round."""
    results = {peer.name: [] for peer in servers}
    for number in range(rounds):
        for peer in servers[number % len(servers):] + servers[:number % len(servers)]:
            results[peer.name].append(bench.load(peer, classes, seconds, *options))
    return results


def median_ratio(results, key, of, to):
    """Of what `key` says in one round."""
    return statistics.median(a[key] / b[key] for a, b in zip(results[of], results[to]) if a[key] and b[key])


def check_statuses(name, rounds):
    for one in rounds:
        if set(one["classes"]["load"]["statuses"]) - {"200"} or one["classes"]["load"]["lost"]:
            raise SystemExit(f"{name}: not every answer was 200: {one}")


def summary(results):
    """Medians of the rounds, and the medians of what the others cost or do in the same round: above 1 they cost more, or drawbridge does more."""
    servers, ratios = {}, {}
    for name, rounds in results.items():
        check_statuses(name, rounds)
        servers[name] = {key: statistics.median(one[key] for one in rounds) for key in ("cpuPerAnswer", "perSecond", "serverCpu", "residentBytes")}
        servers[name].update((key, statistics.median(one["classes"]["load"][key] for one in rounds)) for key in ("p50", "p99", "p999"))
        if name != "drawbridge":
            ratios[name] = {"cpu": median_ratio(results, "cpuPerAnswer", name, "drawbridge"), "perSecond": median_ratio(results, "perSecond", "drawbridge", name)}
    return {"peers": servers, "ratios": ratios}


def measure_bodies(bench, servers, paths, arguments):
    rows = []
    for name, connections, what in CASES:
        print(f"  {what}", flush=True)
        results = measure(bench, servers, arguments.rounds, [f"load={connections}:{paths[name]}"], arguments.seconds)
        rows.append(dict(summary(results), name=name, what=what, bytes=os.path.getsize(paths[name]), connections=connections))
    return rows


def measure_validating(bench, paths):
    """Parsing and validating alone, beside cJSON_Parse of the same bytes."""
    rows = []
    for name, _, what in CASES[:2] + [("claim-selectors", 0, "ResourceClaim with three selectors, create")] + CASES[2:]:
        out = subprocess.run(["taskset", "-c", peers.SERVER_CPU, os.path.join(bench.build, "bench_review"), "1", paths[name]], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        rows.append({"what": what, "bytes": int(out[1]), "validating": float(out[3]), "cjson": float(out[6])})
    return rows


def measure_selectors(bench, rounds, seconds, with_go):
    """Microseconds to compile an expression, and to evaluate it on a device, by both in turn; the ratios are those of one round."""
    go, rows, device = bench.go_cel() if with_go else None, [], bodies.write_device(bench.folder)
    run = ["taskset", "-c", peers.SERVER_CPU]
    for expression in bodies.SELECTORS:
        asked, ours, theirs = json.dumps({"expression": expression}) + "\n", [], []
        for _ in range(rounds):
            command = run + [os.path.join(bench.build, "bench_cel"), str(seconds), device, expression]
            ours.append([float(word) for word in subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split()])
            if go:
                done = subprocess.run(run + [go, "-measure", str(seconds), "-devices", device], input=asked.encode(), check=True, stdout=subprocess.PIPE,
                                      env=dict(os.environ, GOMAXPROCS="1"))
                theirs.append([float(word) for word in done.stdout.split()])
        row = {"bytes": len(expression)}
        for i, what in enumerate(("compiling", "evaluating")):
            row[what] = {"drawbridge": statistics.median(one[i] for one in ours), "go": statistics.median(one[i] for one in theirs) if theirs else None,
                         "ratio": statistics.median(b[i] / a[i] for a, b in zip(ours, theirs)) if theirs else None}
        rows.append(row)
    return rows


def measure_matching(bench, seconds):
    """Microseconds to know the objects of a world, and to match a claim with three selectors with its 128 devices."""
    command = ["taskset", "-c", peers.SERVER_CPU, os.path.join(bench.build, "bench_match"), str(seconds), bodies.write_world(bench.folder)]
    knowing, matching = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split()
    return {"knowing": float(knowing), "matching": float(matching)}


def measure_memory(bench, paths, requests):
    """Idle, and after every tenth of so many requests with bodies of all kinds in turn."""
    files = ",".join([paths["csidriver-update"]] * 6 + [paths["claim-create"]] * 6 + [paths["gpu8-create"]] * 3 + [paths["nic-create"]])
    with bench.drawbridge() as peer:
        time.sleep(0.5)
        idle = bench.load(peer, ["load=1:" + paths["csidriver-update"]], 1, "--requests", 1, warmup=0)["residentBytes"]
        after = [bench.load(peer, ["load=8:" + files], 600, "--requests", requests // 10, warmup=0)["residentBytes"] for _ in range(10)]
    return {"idle": idle, "requests": requests, "after": after}


def measure_fairness(bench, paths, seconds):
    """Small reviews alone, and beside two clients that send the heaviest bodies there are."""
    small, heavy = "small=8:" + paths["csidriver-update"], "heavy=2:" + paths["heavy"]
    with bench.drawbridge() as peer:
        alone = bench.load(peer, [small], seconds)["classes"]["small"]
        beside = bench.load(peer, [small, heavy], seconds)["classes"]
    return {"alone": alone, "small": beside["small"], "heavy": beside["heavy"]}


def measure_overload(bench, paths, seconds):
    """Large reviews from few clients, and from twice as many as the server takes, with small ones beside them."""
    small, rows = "small=4:" + paths["csidriver-update"], []
    with bench.drawbridge() as peer:
        for clients in (4, 16, 64, 256):
            rows.append(dict(bench.load(peer, [small, f"large={clients}:{paths['nic-create']}"], seconds, "--retry-after")["classes"], clients=clients))
    return rows


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--seconds", type=float, default=1.0, help="of one run")
    arguments.add_argument("--requests", type=int, default=1000000, help="over which memory is watched")
    arguments.add_argument("--without-go", action="store_true")
    arguments.add_argument("build")
    arguments = arguments.parse_args()
    if os.cpu_count() < 2:
        raise SystemExit("two processors are needed: one for the server, one for the load")
    bench = peers.Bench(os.path.abspath(arguments.build))
    paths = bodies.write(bench.folder)
    go, why_not = (None, "it was not asked for") if arguments.without_go else bench.go()
    if not go:
        print(f"without the webhook in Go: {why_not}")
    results = {"machine": report.machine(), "rounds": arguments.rounds, "seconds": arguments.seconds, "withoutGo": why_not}
    with bench.echo() as echo, bench.drawbridge() as drawbridge:
        servers = [echo, drawbridge] + ([go.__enter__()] if go else [])
        try:
            for peer in servers[1:]:
                check_answers(bench, peer, paths)
            results["bodies"] = measure_bodies(bench, servers, paths, arguments)
        finally:
            if go:
                go.__exit__()
        print("  full TLS handshakes", flush=True)
        results["handshakes"] = summary(measure(bench, servers[:2], arguments.rounds, ["load=8"], arguments.seconds, "--handshakes"))
    for name, what, run in (("validating", "validating without transport", lambda: measure_validating(bench, paths)),
                            ("selectors", "CEL selectors", lambda: measure_selectors(bench, arguments.rounds, arguments.seconds / 2, go is not None)),
                            ("matching", "a claim and 128 devices", lambda: measure_matching(bench, arguments.seconds)), ("fairness", "small reviews beside heavy ones", lambda: measure_fairness(bench, paths, 8)),
                            ("overload", "too many clients", lambda: measure_overload(bench, paths, 6)), ("memory", f"memory over {arguments.requests:,} requests", lambda: measure_memory(bench, paths, arguments.requests))):
        print("  " + what, flush=True)
        results[name] = run()
    report.write(bench.folder, results)
    print(open(os.path.join(bench.folder, "report.md")).read())


sys.exit(main())
