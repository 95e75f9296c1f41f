"""What the results look like: report.md for people, speed.svg for the documents, results.json for programs."""
import json, os, platform

TITLES = {"drawbridge": "drawbridge", "echo": "bare TLS server", "go": "webhook in Go"}
ORDER = ["echo", "drawbridge", "go"]


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    return f"{os.cpu_count()} processors ({model}), Linux {platform.release().split('-')[0]}"


def number(value):
    """Three digits, as more would be noise."""
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def milliseconds(microseconds):
    return f"{microseconds / 1000:.2f}" if microseconds < 10000 else f"{microseconds / 1000:.0f}"


def size(count):
    return f"{count / 1000:.1f} KB" if count < 10000 else f"{count / 1000:.0f} KB"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


# ---- report.md ----

def throughput(results):
    """Requests per second of processor time: what a server does on a core that it has for itself."""
    have = [name for name in ORDER if name in results["bodies"][0]["peers"]]
    head = ["review", "size"] + [TITLES[name] for name in have] + ["of the bare server"] + (["times the Go webhook"] if "go" in have else [])
    rows = []
    for row in results["bodies"]:
        cells = [row["what"], size(row["bytes"])] + [number(1e6 / row["peers"][name]["cpuPerAnswer"]) for name in have]
        cells.append(f"{row['ratios']['echo']['cpu']:.2f}")
        rows.append(cells + ([f"{row['ratios']['go']['cpu']:.1f}"] if "go" in have else []))
    shaken = results["handshakes"]
    cells = ["full TLS handshakes", "-"] + [number(1e6 / shaken["peers"][name]["cpuPerAnswer"]) if name in shaken["peers"] else "-" for name in have]
    rows.append(cells + [f"{shaken['ratios']['echo']['cpu']:.2f}"] + (["-"] if "go" in have else []))
    return table(head, rows)


def latencies(results):
    rows = []
    for row in results["bodies"]:
        for name in ORDER:
            if name in row["peers"]:
                peer = row["peers"][name]
                rows.append([row["what"], TITLES[name], number(peer["perSecond"]), f"{peer['cpuPerAnswer']:.1f}", *(milliseconds(peer[key]) for key in ("p50", "p99", "p999")),
                             f"{peer['residentBytes'] / 1e6:.1f}", f"{peer['serverCpu'] * 100:.0f} %"])
    return table(["review", "server", "requests/s", "CPU µs/request", "p50 ms", "p99 ms", "p99.9 ms", "memory MB", "core used"], rows)


def fairness(results):
    rows = [[what, number(one["perSecond"]), *(milliseconds(one[key]) for key in ("p50", "p99", "p999", "max"))]
            for what, one in (("small, alone", results["alone"]), ("small, beside heavy ones", results["small"]), ("heavy", results["heavy"]))]
    return table(["2.8 KB from 8 clients; 8 MB from 2", "requests/s", "p50 ms", "p99 ms", "p99.9 ms", "longest ms"], rows)


def overload(rows):
    def good(one):
        return one["statuses"].get("200", 0) / one["answers"] * one["perSecond"] if one["answers"] else 0
    cells = [[str(row["clients"]), number(good(row["large"])), number(row["large"]["perSecond"] - good(row["large"])), str(row["large"]["lost"]), milliseconds(row["large"]["p99"]),
              number(good(row["small"])), milliseconds(row["small"]["p99"])] for row in rows]
    return table(["clients with 142 KB", "answered/s", "told to retry/s", "lost", "p99 ms", "2.8 KB beside them, answered/s", "p99 ms"], cells)


def selectors(rows):
    def cells(row, what):
        one = row[what]
        return [f"{row['bytes']} bytes", what, f"{one['drawbridge']:.2f} µs"] + ([f"{one['go']:.1f} µs", f"{one['ratio']:.0f}"] if one["go"] else [])
    head = ["selector", "", "drawbridge"] + (["cel-go, as Kubernetes sets it up", "times"] if rows[0]["compiling"]["go"] else [])
    return table(head, [cells(row, what) for row in rows for what in ("compiling", "evaluating")])


def report(results):
    memory = results["memory"]
    lines = [f"# Speed\n\n{results['machine']}; server on one, load on the other; {results['rounds']} rounds of {results['seconds']:g} s, medians.", ""]
    if results["withoutGo"]:
        lines += [f"Without the webhook in Go: {results['withoutGo']}.", ""]
    lines += ["## Requests per second of one core\n"] + throughput(results) + ["## As the load saw it\n"] + latencies(results)
    lines += ["## Parsing and validating alone\n"] + table(["review", "bytes", "drawbridge", "cJSON_Parse of the same"], [[row["what"], f"{row['bytes']:,}", f"{row['validating']:.1f} µs", f"{row['cjson']:.1f} µs"] for row in results["validating"]])
    lines += ["## CEL selectors\n"] + selectors(results["selectors"])
    lines += [f"A claim with three selectors and 128 devices: {results['matching']['matching']:.0f} µs to match them, {results['matching']['knowing']:.0f} µs to know them.\n"]
    lines += ["## Small reviews beside heavy ones\n"] + fairness(results["fairness"]) + ["## Too many clients\n"] + overload(results["overload"])
    after = ", ".join(f"{value / 1e6:.1f}" for value in memory["after"])
    lines += ["## Memory\n", f"RssAnon + RssFile: idle {memory['idle'] / 1e6:.1f} MB; after each tenth of {memory['requests']:,} requests: {after} MB.", ""]
    return "\n".join(lines)


# ---- speed.svg ----

WIDTH, LEFT, RIGHT, TOP, BAR, GAP, GROUP = 860, 270, 110, 84, 15, 2, 22
STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .small { font-size: 12px; fill: #59636e }
  .value { font-size: 12px; font-variant-numeric: tabular-nums }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .echo { fill: #afb8c1 } .drawbridge { fill: #0969da } .go { fill: #bf8700 }
  .strong { font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .small { fill: #9198a1 } .grid { stroke: #3d444d }
    .echo { fill: #656c76 } .drawbridge { fill: #4493f8 } .go { fill: #d29922 }
  }
"""


def text(x, y, content, style="", anchor="start"):
    return f'  <text x="{x:.0f}" y="{y:.0f}" class="{style}" text-anchor="{anchor}">{content}</text>'


def legend(have):
    out, x = [], LEFT
    for name in have:
        out += [f'  <rect x="{x}" y="46" width="12" height="12" rx="2" class="{name}"/>', text(x + 18, 57, TITLES[name], "small")]
        x += 150
    return out


def bars(row, have, y):
    """One review: a bar for each server, as long as its share of the bare server's throughput."""
    scale = WIDTH - LEFT - RIGHT
    out = [text(LEFT - 12, y + len(have) * (BAR + GAP) / 2 - 2, row["what"], "", "end"), text(LEFT - 12, y + len(have) * (BAR + GAP) / 2 + 14, size(row["bytes"]), "small", "end")]
    for name in have:
        share = 1 if name == "echo" else row["ratios"]["echo"]["cpu"] / (1 if name == "drawbridge" else row["ratios"][name]["cpu"])
        width = max(2, share * scale)
        label = f"{number(1e6 / row['peers'][name]['cpuPerAnswer'])}/s" + ("" if name == "echo" else f" · {share * 100:.0f} %" if share >= 0.095 else f" · {share * 100:.1f} %")
        out += [f'  <rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR}" rx="2" class="{name}"/>', text(LEFT + width + 6, y + BAR - 3, label, "value" + (" strong" if name == "drawbridge" else ""))]
        y += BAR + GAP
    return out


def plot(results):
    rows, have = results["bodies"], [name for name in ORDER if name in results["bodies"][0]["peers"]]
    height = len(have) * (BAR + GAP) + GROUP
    bottom = TOP + len(rows) * height
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 30}" width="{WIDTH}" height="{bottom + 30}" role="img" aria-label="Requests per second of one core">',
           f"  <style>{STYLE}  </style>", text(16, 26, "Requests per second of one core, over TLS", "title"), text(WIDTH - 16, 26, "% of what a bare TLS server does that validates nothing", "small", "end")] + legend(have)
    for percent in (0, 25, 50, 75, 100):
        x = LEFT + (WIDTH - LEFT - RIGHT) * percent / 100
        out += [f'  <line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom - 8}" class="grid"/>', text(x, bottom + 10, f"{percent} %", "small", "middle")]
    for i, row in enumerate(rows):
        out += bars(row, have, TOP + i * height)
    return "\n".join(out + ["</svg>", ""])


def write(folder, results):
    for name, content in (("results.json", json.dumps(results, indent=1)), ("report.md", report(results)), ("speed.svg", plot(results))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
