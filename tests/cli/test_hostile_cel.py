#!/usr/bin/env python3
"""Expressions on which a careless compiler takes for ever, runs out of memory, or overflows its stack. Each is compiled in a fraction of a second and in
bounded memory; where the API server's compiler answers, its class is the same. Others take for ever when they are evaluated: that ends, too.

    test_hostile_cel.py BUILD
"""
import json, os, resource, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

SECONDS = 0.05  # of processor time, to start and end the program included
EVALUATION_SECONDS = 2.0  # of an evaluation that is ended
CLAIM_SECONDS = 0.5  # of a claim with many expressions
MEMORY = 384 << 20  # of address space
SANITIZED = ("asan", "tsan", "coverage")
SLOWNESS = 20  # at most, of such a build


def nested(count, before, inner, after):
    """before(i) for each i, what is inside, and so often what is after."""
    return "".join(before(i) for i in range(count)) + inner + after * count


def doubled(pattern, inner, count=100):
    """cel.bind of what has the last variable in it twice, in what is bound next."""
    return nested(count, lambda i: "cel.bind(x%d,%s," % (i, pattern.replace("X", f"x{i - 1}" if i else "1")), inner, ")")


CASES = [  # name, text, class
    ("100,000 parentheses", "(" * 100000, "too-long"),
    ("64 KiB of escapes", '"' + "\\n" * 32768 + '"', "too-long"),
    ("parentheses", "(" * 5000 + "1" + ")" * 5000, "check"),
    ("as many parentheses as there may be", "(" * 240 + "true" + ")" * 240, "ok"),
    ("brackets", "[" * 5000 + "]" * 5000, "check"),
    ("braces", "{" * 5000, "check"),
    ("open calls", "f(1," * 250, "check"),
    ("sums", "1" + "+1" * 5119, "check"),
    ("comparisons", "1" + "<1" * 5000, "check"),
    ("conjunctions", "true" + "&&true" * 1700, "ok"),
    ("disjunctions of what is not there", "a||" * 3412 + "a", "check"),
    ("signs", "-" * 10000 + "1", "result-type"),
    ("negations", "!" * 10000 + "true", "ok"),
    ("fields", "a" + ".a" * 5000, "check"),
    ("indexes", "a" + "[0]" * 3400, "check"),
    ("calls", "a" + ".f()" * 2500, "check"),
    ("conditions", "true?" * 1400 + "1" + ":1" * 1400, "syntax"),
    ("conditions, the other way", "true?1:" * 1400 + "1", "check"),
    ("10 KiB of operators", "+-*/%!<>=&|?:" * 780, "syntax"),
    ("10 KiB of quotes", '"' * 10240, "syntax"),
    ("escapes", '"' + "\\x41" * 2559 + '"', "result-type"),
    ("characters of four bytes", "\U0001f600" * 2500, "syntax"),
    ("line ends", "\n" * 10000, "syntax"),
    ("spaces", " " * 10240, "syntax"),
    ("digits", "9" * 10000, "check"),
    ("an exponent", "1e" + "9" * 10000, "check"),
    ("maps in maps", "{1:" * 200 + "1" + "}" * 200, "result-type"),
    ("lists with an element more", "[1," * 200 + "1" + "]" * 200, "check"),
    ("lists that are compared", "==".join(["[]"] * 2500), "check"),
    ("a list of unknowns", "[" + ",".join(["optional.none()"] * 600) + "]==[]", "ok"),
    ("a list of empty lists", "[" + ",".join(["[]"] * 3400) + "]==[]", "ok"),
    ("a map of empty maps", "{" + ",".join(["[]:{}"] * 1200) + "}=={}", "ok"),
    ("optionals in optionals", "optional.of(" * 200 + "1" + ")" * 200, "result-type"),
    ("types of types", "type(" * 240 + "1" + ")" * 240, "result-type"),
    ("loops in loops", nested(120, lambda i: "[1,2].all(x%d," % i, "true", ")"), "too-costly"),
    ("loops over devices in loops", nested(80, lambda i: "device.attributes.map(x%d," % i, "x0", ")"), "result-type"),
    ("chains of filter()", "device.attributes" + ".filter(x,true)" * 600, "check"),
    ("chains of sortBy()", "[1]" + ".sortBy(x,x)" * 700, "check"),
    ("chains of optMap(), each of which doubles", "optional.of(1)" + ".optMap(x,x)" * 700, "check"),
    ("chains of optFlatMap()", "optional.of(1)" + ".optFlatMap(x,optional.of(x))" * 300, "check"),
    ("optMap() in optMap()", nested(100, lambda i: "optional.of(1).optMap(x%d," % i, "x0", ")"), "result-type"),
    ("types that double: lists", doubled("[X,X]", "x99==x99"), "ok"),
    ("types that double: maps", doubled("{1:X}", "x99==x98"), "check"),
    ("types that double: values of maps", doubled("{'a':X,'b':X}", "x99=={}"), "ok"),
    ("sizes that double", doubled("[X]+[X]", "x99.size()==1"), "ok"),
    ("unknown types that are bound", doubled("{[]:{[]:[]}}", "x0==x1"), "ok"),
    ("alternatives", '"a".matches("' + "a|" * 5000 + '")', "ok"),
    ("groups", '"a".matches("' + "(" * 900 + ")" * 900 + '")', "ok"),
    ("groups, too many", '"a".matches("' + "(?:" * 1400 + ")*" * 1400 + '")', "check"),
    ("counts in counts", '"a".matches("' + "(a{1,30}){1,30}" * 600 + '")', "ok"),
    ("counts", '"a".matches("' + "a{1000}" * 1400 + '")', "ok"),
    ("classes with names", '"a".matches("' + "\\\\pL" * 2500 + '")', "ok"),
    ("folded classes with names", '"a".matches("(?i)' + "[^\\\\pL\\\\pN]" * 800 + '")', "ok"),
    ("patterns of classes with names", "||".join(["'a'.matches(r'" + "\\pL" * 300 + "')"] * 11), "ok"),
    ("patterns of folded classes", "||".join("'a'.matches(r'(?i)\\PL\\p{Ll}\\pS%d')" % i for i in range(260)), "ok"),
    ("alternatives that are classes", "'a'.matches(r'" + "\\pL|\\pN|" * 1200 + "')", "ok"),
    ("groups of alternatives that are classes", "'a'.matches(r'" + "(?:\\pL|\\pN)" * 900 + "')", "ok"),
    ("classes of classes", "'a'.matches(r'" + "[\\pL\\pN0]|" * 900 + "')", "ok"),
    ("repetitions of repetitions", '"a".matches("' + "(a*)*" * 2000 + '")', "ok"),
    ("clauses of format()", '"' + "%s" * 4000 + '".format([' + ",".join(["1"] * 500) + '])==""', "check"),
    ("digits of a quantity", 'quantity("' + "9" * 10000 + '")==quantity("1")', "ok"),
    ("digits of a double", 'double("' + "9" * 9000 + '")==1.0', "check"),
    ("digits of an int", 'int("' + "9" * 10000 + '")==1', "check"),
    ("units of a duration", 'duration("' + "1h" * 5000 + '")==duration("1")', "check"),
    ("names that are not there", "||".join("a%d" % i for i in range(1500)), "check"),
    ("fields that are not there", "||".join("device.a%d" % i for i in range(700)), "check"),
    ("quotes for the hint to look through", 'device.attributes["' + '"."' * 3000, "syntax"),
    ("fields of a message", "google.protobuf.Int64Value{" + "value:1," * 1200 + "}==1", "ok"),
]


def bound(first, pattern, last, count):
    """Variables, in each of which is twice the one before it."""
    binds = "".join("cel.bind(x%d,%s," % (i, pattern.replace("X", f"x{i - 1}") if i else first) for i in range(count))
    return binds + last.replace("X", f"x{count - 1}") + ")" * count


TEXT = "'" + "a" * 1000 + "'"
EVALUATIONS = [  # name, text, what it is: true, false, error
    ("loops in loops", nested(30, lambda i: "[1,2].all(x%d," % i, "true", ")"), "error"),
    ("loops without work", "lists.range(40000).all(x, lists.range(40000).all(y, true))", "error"),
    ("lists that double", bound("[1]", "X+X", "X.size() == 1", 40), "error"),
    ("lists in lists that are compared", bound("[[1]]", "[X,X]", "X == X", 60), "error"),
    ("lists in lists that are looked for", bound("[[1]]", "[X,X]", "X in [X]", 60), "error"),
    ("lists in lists in a text", bound("[[1]]", "[X,X]", "'%s'.format([X]) == ''", 60), "error"),
    ("maps in maps that are compared", bound("{1:1}", "{1:X,2:X}", "X == X", 60), "error"),
    ("texts that double", bound(TEXT, "X+X", "X == ''", 40), "error"),
    ("texts that replace() multiplies", f"cel.bind(x,{TEXT},x.replace('a', x.replace('a', x)) == '')", "error"),
    ("texts that join() multiplies", bound("['a','a','a','a']", "[X.join('aaaa'),X.join('aaaa'),X.join('aaaa'),X.join('aaaa')]", "X == []", 20), "error"),
    ("texts that quote() makes longer", bound("'\"'", "strings.quote(X)", "X == ''", 60), "error"),
    ("a split in characters", f"lists.range(2000).map(x, {TEXT}.split('')).size() == 2000", "true"),
    ("sorting", "lists.range(700).sortBy(x, -x).size() == 700", "true"),
    ("sorting of long texts", f"lists.range(500).map(x, {TEXT} + string(x)).sort().size() == 500", "true"),
    ("distinct()", "lists.range(700).distinct().size() == 700", "true"),
    ("sets", "sets.equivalent(lists.range(600), lists.range(600))", "true"),
    ("indexOf() of long texts", f"lists.range(300).all(x, ({TEXT} + 'b').indexOf('a' + {TEXT} + 'b') == -1)", "true"),
    ("a regular expression with loops in loops", f"lists.range(100).all(x, {TEXT}.matches('(a*)*b') == false)", "true"),
    ("a regular expression that is put together", f"lists.range(100).all(x, {TEXT}.matches('(a|aa)+' + '$'))", "true"),
    ("counts that are put together", "'a'.matches('(a{1,30}){1,30}' + '(a{1,30}){1,30}' + 'b')", "false"),
    ("all that an expression finds", f"lists.range(300).all(x, {TEXT}.findAll('').size() == 1001)", "true"),
    ("digits of a number in a text", "'%.9999f'.format([dyn(1e300)]).size() > 0", "true"),
    ("a quantity with a huge exponent", "quantity('1e' + '2147483648').isInteger()", "error"),
    ("sums of quantities with exponents far apart", "quantity('1e' + '1000000').add(quantity('1n')).isInteger()", "error"),
    ("flattening", nested(100, lambda i: "[", "1", "]") + ".flatten(9223372036854775807).size() == 1", "error"),
]


def claim(pattern, requests=4, selectors=32):
    """A claim of as many selectors as there may be in each request, each of 10 KiB."""
    text = "'a'.matches(r'" + pattern * ((10240 - 40) // len(pattern)) + "')||device.driver=='%d'"
    numbers = iter(range(requests * selectors))
    exactly = lambda: {"deviceClassName": "gpu", "selectors": [{"cel": {"expression": text % next(numbers)}} for _ in range(selectors)]}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "gpu", "namespace": "team"},
            "spec": {"devices": {"requests": [{"name": "r%d" % i, "exactly": exactly()} for i in range(requests)]}}}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))


def run(build, words, text, slow):
    """What the program prints, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([os.path.join(build, "drawbridge"), *words], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          preexec_fn=None if slow else limit, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def evaluate(tap, build, slow):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as devices:
        json.dump([{"name": "gpu", "driver": "gpu.acme.dev", "device": {}}], devices)
        devices.flush()
        for name, text, expected in EVALUATIONS:
            done, used = run(build, ["cel", "check", "--devices", devices.name, "-"], json.dumps({"expression": text}) + "\n", slow)
            answer = json.loads(done.stdout).get("eval", [{}])[0] if done.stdout.startswith(b"{") else {}
            found = "error" if answer.get("error") else json.dumps(answer.get("match"))
            tap.ok(found == expected, f"evaluated, {name}: {expected}", done.stdout[:400])
            tap.ok(used < EVALUATION_SECONDS * (SLOWNESS if slow else 1), f"evaluated, {name}: in time", f"{used:.3f} s of processor time")


def main(build):
    tap = Tap()
    slow = any(word in os.path.basename(os.path.abspath(build)) for word in SANITIZED)
    for pattern in ("\\pL", "\\pL|\\pN|", "[\\pL0]x|"):
        done, used = run(build, ["lint", "-"], json.dumps(claim(pattern)), slow)
        tap.ok(done.returncode == 0, f"a claim of patterns of {pattern} is taken", done.stdout[:400])
        tap.ok(used < CLAIM_SECONDS * (SLOWNESS if slow else 1), f"a claim of patterns of {pattern}: in time", f"{used:.3f} s of processor time")
    evaluate(tap, build, slow)
    for name, text, expected in CASES:
        done, used = run(build, ["cel", "check", "-"], json.dumps({"expression": text}) + "\n", slow)
        answer = json.loads(done.stdout) if done.stdout.startswith(b"{") else {"class": f"status {done.returncode}: {done.stdout[:400]}"}
        found = "ok" if answer.get("ok") else answer["class"]
        tap.ok(found == expected, f"{name}: {expected}", found)
        tap.ok(used < SECONDS * (SLOWNESS if slow else 1), f"{name}: in time", f"{used:.3f} s of processor time")
    return tap.done()


sys.exit(main(sys.argv[1]))
