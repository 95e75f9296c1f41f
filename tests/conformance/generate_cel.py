"""Makes CEL expressions of right types by chance, for what an evaluator has many branches for: steps through maps, lists and optionals, has(), sides of
conditions, variables, errors under && and ||, loops, conversions, texts, formats, sorted lists, quantities, versions, addresses, URLs, times."""
import random

DOMAINS = ["gpu.acme.dev", "mig.acme.dev", "edge.example.com", "resource.kubernetes.io", "nosuch"]
ATTRIBUTES = ["model", "index", "healthy", "driverVersion", "ip", "pcieRoot", "profile", "cidr", "speed", "min", "max", "zero", "t", "f", "nosuch"]
CAPACITIES = ["memory", "cores", "bandwidth", "ki", "big", "frac", "nosuch"]
INTS = ["0", "1", "2", "3", "5", "-1", "-7", "13", "100", "9223372036854775807", "-9223372036854775808", "9007199254740993"]
UINTS = ["0u", "1u", "2u", "7u", "18446744073709551615u"]
DOUBLES = ["0.0", "-0.0", "1.0", "1.5", "-2.5", "0.1", "1e300", "123456.0", "1e-5", "9223372036854775808.0", 'double("NaN")', 'double("inf")', "1234567.5",
           "0.05", "2.675", "1e21"]
TEXTS = ["", "a", "ab", "b", "abc", "hello world", "héllo", "日本語", "a,b,,c", "A-B_c", " \\t x ", "1", "-5", "1.5", "true", "x\\ny", "a100", "gpu.acme.dev", "aaa",
         "😀é", "\\u00a0z\\u3000", "ID-0042", "%s"]
QUANTITIES = ["0", "1", "1k", "1Ki", "1.5Gi", "40Gi", "100m", "-3", "9223372036854775807", "1e3", "0.5", "1n", "999999999999999999", "1Pi", "12345678901234567890",
              "0m", "2000m", ".5", "5E", "8Ei", "1.0", "100e9"]
VERSIONS = ["1.2.3", "1.2.3-rc.1", "2.0.0", "1.2.3-rc.1+b5", "0.0.0", "1.10.0", "1.2.3-alpha", "1.2.3-1", "18446744073709551615.0.0", "v1.2", "1", "01.2.3"]
ADDRESSES = ["10.0.0.1", "192.0.2.7", "::1", "fe80::1", "2001:db8::1", "224.0.0.1", "127.0.0.1", "0.0.0.0", "::", "ff02::1", "1:0:0:2:0:0:0:3", "255.255.255.255"]
NETWORKS = ["10.0.0.0/8", "10.1.2.3/16", "::/0", "fe80::/10", "192.0.2.7/32", "2001:db8::1/64", "0.0.0.0/0"]
URLS = ["http://a.b/c?d=e&d=f#g", "https://user:p@h:8443/p%20q?x=1;y", "/path", "mailto:x@y", "http://[::1]:80/", "HTTP://A/?a=%41&b&=c", "http://a", "x:/y/é"]
TIMES = ["2020-01-02T03:04:05Z", "1969-12-31T23:59:59.999999999Z", "2024-02-29T12:00:00.5+02:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-07-01T00:30:00-07:00"]
DURATIONS = ["1h30m", "0s", "-1.5s", "1ns", "2540400h", "100ms", "36h", "-2562047h47m16.854775808s"]
ZONES = ["UTC", "", "Europe/Berlin", "America/New_York", "+02:00", "-05:30", "+02:-30", "Asia/Kolkata", "No/Where", "Australia/Lord_Howe"]
FORMATS = ["byte", "date", "datetime", "dns1035Label", "dns1035LabelPrefix", "dns1123Label", "dns1123LabelPrefix", "dns1123Subdomain", "dns1123SubdomainPrefix",
           "labelValue", "qualifiedName", "uri", "uuid"]
PATTERNS = ["a", "^a", "[a-z]+", "\\\\d+", "(a|b)*", ".", "", "l+o", "(?i)A", "\\\\s", "$", "(\\\\w)(\\\\w)", "x*"]
VERBS = ["%s", "%d", "%f", "%.2f", "%e", "%.10e", "%b", "%x", "%X", "%o", "%.0f", "%%", "%.3s", "%.20f"]
GETTERS = ["getFullYear", "getMonth", "getDayOfYear", "getDayOfMonth", "getDate", "getDayOfWeek", "getHours", "getMinutes", "getSeconds", "getMilliseconds"]
SIMPLE = ["bool", "int", "uint", "double", "string", "bytes", "duration", "timestamp"]
OBJECTS = ["quantity", "semver", "ip", "cidr", "url"]


def quoted(text):
    return '"' + text + '"'


class Generator:
    """Types are names, or tuples: ("list", T), ("map", K, V), ("optional", T)."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.variables = []  # (name, type) that can be used here
        self.pick = self.chance.choice

    def one(self):
        """A new expression of type bool."""
        self.variables = []
        return self.make("bool", self.pick([2, 3, 3, 4, 5]))

    def a_type(self, depth=2):
        kinds = SIMPLE * 2 + OBJECTS + (["list"] * 6 + ["map"] * 5 + ["optional"] * 4 if depth else [])
        kind = self.pick(kinds)
        if kind == "list" or kind == "optional":
            return (kind, self.a_type(depth - 1))
        return ("map", self.pick(["string", "string", "int", "bool", "uint"]), self.a_type(depth - 1)) if kind == "map" else kind

    def make(self, wanted, depth):
        """An expression of that type."""
        known = [name for name, kind in self.variables if kind == wanted]
        if known and self.chance.random() < .35:
            return self.pick(known)
        if depth <= 0:
            return self.leaf(wanted)
        if self.chance.random() < .3:
            return self.any_way(wanted, depth - 1)
        name = wanted if isinstance(wanted, str) else wanted[0]
        return getattr(self, "make_" + name)(wanted, depth - 1)

    # ---- leaves ----

    def attribute(self):
        domain = self.pick(DOMAINS)
        base = self.pick(['device.attributes["%s"]' % domain] * 5 + ['device.attributes[device.driver]', 'device.attributes[?"%s"]' % domain])
        return base + self.pick([".", ".", ".", ".?"]) + self.pick(ATTRIBUTES)

    def capacity(self):
        return 'device.capacity["%s"].%s' % (self.pick(DOMAINS), self.pick(CAPACITIES))

    def leaf(self, wanted):
        choose = self.pick
        if isinstance(wanted, tuple):
            if wanted[0] == "optional":
                return choose(["optional.none()", f"optional.of({self.leaf(wanted[1])})", f"optional.ofNonZeroValue({self.leaf(wanted[1])})"])
            if wanted[0] == "list":
                return "[" + ", ".join(self.leaf(wanted[1]) for _ in range(choose([0, 1, 1, 2, 3]))) + "]"
            return "{" + ", ".join(f"{self.leaf(wanted[1])}: {self.leaf(wanted[2])}" for _ in range(choose([0, 1, 1, 2]))) + "}"
        if wanted in ("bool", "int", "string", "semver") and self.chance.random() < .25:
            return self.attribute_as(wanted)
        if wanted == "bool":
            return choose(["true", "false"])
        if wanted == "bytes":
            return choose(['b"ab"', 'b""', 'b"\\xff"', 'bytes("é")'])
        if wanted == "quantity":
            return self.capacity() if self.chance.random() < .4 else f"quantity({quoted(choose(QUANTITIES))})"
        if wanted == "semver":
            return f"semver({quoted(choose(VERSIONS))}{choose(['', '', ', true', ', false'])})"
        pools = {"int": INTS, "uint": UINTS, "double": DOUBLES}
        if wanted in pools:
            return choose(pools[wanted])
        texts = {"string": TEXTS, "ip": ADDRESSES, "cidr": NETWORKS, "url": URLS, "timestamp": TIMES, "duration": DURATIONS}
        text = quoted(choose(texts[wanted]))
        return text if wanted == "string" else f"{wanted}({text})"

    def attribute_as(self, wanted):
        names = {"bool": ["healthy", "t", "f"], "int": ["index", "speed", "min", "max", "zero"], "string": ["model", "ip", "profile", "cidr", "pcieRoot"], "semver": ["driverVersion"]}
        if wanted == "string" and self.chance.random() < .3:
            return "device.driver"
        if wanted == "bool" and self.chance.random() < .3:
            return "device.allowMultipleAllocations"
        domain, name = self.pick(DOMAINS[:3]), self.pick(names[wanted])
        return 'device.attributes["%s"].%s' % (domain, name)

    # ---- of any type ----


    def within(self, bindings, wanted, depth):
        self.variables += bindings
        body = self.make(wanted, depth)
        del self.variables[len(self.variables) - len(bindings):]
        return body

    def fresh(self):
        return self.pick("xyzvw") + self.pick(["", "", "2"])

    def any_way(self, wanted, depth):
        way = self.chance.randrange(17)
        if way == 0:
            return f"({self.make('bool', depth)} ? {self.make(wanted, depth)} : {self.make(wanted, depth)})"
        if way == 1:
            kind, name = self.a_type(), self.fresh()
            return f"cel.bind({name}, {self.make(kind, depth)}, {self.within([(name, kind)], wanted, depth)})"
        if way == 2:
            key = self.pick(["string", "int", "uint", "bool"])
            index = self.leaf(key) if self.chance.random() < .5 else self.make(key, depth)
            return f"{self.make(('map', key, wanted), depth)}[{index}]"
        if way == 3:
            return f"{self.make(('list', wanted), depth)}[{self.pick(['0', '0', '1', '-1', 'dyn(1.0)', 'dyn(0u)', self.make('int', depth)])}]"
        if way == 4:
            return f"{self.make(('optional', wanted), depth)}.orValue({self.make(wanted, depth)})"
        if way == 5:
            return f"{self.make(('optional', wanted), depth)}.value()"
        if way == 6:
            return f"{{\"a\": {self.make(wanted, depth)}, \"b\": {self.make(wanted, depth)}}}.{self.pick('abc')}"
        if way == 7:
            return f"dyn({self.make(wanted, depth)})" if wanted != "bool" else f"(dyn({self.make(wanted, depth)}) == true)"
        if way == 8:
            return f"({self.make('bool', depth)} ? {{\"a\": {self.make(wanted, depth)}}} : {{}}).a"
        if way == 9:
            other = self.a_type(1)
            return f"dyn({self.make(other, depth)})" if wanted not in ("bool",) else f"{self.make(other, depth)} == {self.make(other, depth)}"
        if way == 10:
            name = self.fresh()
            kind = self.a_type(1)
            return f"{self.make(('optional', kind), depth)}.{self.pick(['optMap'])}({name}, {self.within([(name, kind)], wanted, depth)}).orValue({self.leaf(wanted)})"
        if way == 11:
            return f"{self.make(('list', wanted), depth)}.{self.pick(['first', 'last'])}().{self.pick(['value()', 'orValue(' + self.leaf(wanted) + ')'])}"
        if way == 12:
            return f"{self.make(('map', 'string', ('map', 'string', wanted)), depth)}[\"a\"][{self.make('string', depth)}]"
        if way == 13:
            name = self.fresh()
            kind = self.a_type(1)
            return f"{self.make(('list', kind), depth)}.map({name}, {self.within([(name, kind)], wanted, depth)})[0]"
        if way == 14:
            return f"[{self.make(('optional', wanted), depth)}, optional.of({self.leaf(wanted)})]{self.pick(['[0]', '[1]', '[?0]'])}.orValue({self.leaf(wanted)})"
        if way == 15:
            step = self.pick(['.?a', '[?"a"]', '.?b', '.a', '[?(true ? "a" : "b")]'])
            return f"{{'a': {self.make(wanted, depth)}}}{step}.orValue({self.leaf(wanted)})"
        return f"({self.make(wanted, depth)})"

    # ---- of one type each ----

    def condition(self, depth):
        """has() and its like over odd operands."""
        kind = self.a_type(1)
        inner = self.make(("map", "string", kind), depth)
        frames = ["has({m}.a)", "has({m}.?a.b)", "has(({c} ? {m} : {{}}).a)", "has({{'a': {m}}}.a.b)", "has({{'a': {m}}}.?a.b)", "has({{'a': {m}}}.?x.b)",
                  "has(({c} ? {{'a': {m}}} : {{}}).?a.b)", "has(({c} ? {{'a': {m}}} : {{}}).?x.b)", "({c} ? has({m}.a) : {c2})", "({c} ? has({{'a': {m}}}.?a.b) : {c2})",
                  "{{true: {c}, false: {c2}}}[has({{'a': {m}}}.?a.b)]", "{{true: {c}}}[has({m}.a)]", "{{true: {c}}}[?has({{'a': {m}}}.?a.b)].orValue({c2})",
                  "has(optional.of({m}).a)", "has({{'f': optional.of({m})}}.f.a)", "has({{'f': optional.none()}}.f.a)", "has(optional.none().a.b)",
                  "optional.of({{'a': {m}}}).a.hasValue()", "optional.of({{'a': {m}}}).a.b.hasValue()", "optional.of(optional.of({m})).a.hasValue()",
                  "has({a})", "has(cel.bind(q, {m}, q).a)", "cel.bind(q, {m}, has(q.a))", "cel.bind(q, optional.of({m}), has(q.a))",
                  "[{m}].all(q, has(q.a))", "has(dyn({k}).a)", "has(dyn({k}).?a)", "has(dyn({k}).a.b)", "({c} ? {{'a': {m}}} : {{'b': {m}}}).?a.hasValue()",
                  "({c} ? {{'a': {m}}} : {{'b': {m}}}).a.size() == 1", "optional.of({k}).optMap(q, [q]).hasValue()", "optional.of({m}).optFlatMap(q, q.?a).hasValue()",
                  "optional.of({m}).optMap(q, optional.of(q)).value().hasValue()", "[?{m}.?a, ?optional.none()].size() == 1", "{{?'x': {m}.?a, 'y': {k}}}.size() == 2",
                  "{{'x': {k}, ?'x': {m}.?a}}.size() == 1", "{{?'x': {m}.?b, ?'z': optional.none()}} == {{}}", "optional.unwrap([{m}.?a, {m}[?'b']]).size() == 1",
                  "[{m}.?a].unwrapOpt() == [{k}]", "{m}.?a.or({m}.?b).hasValue()", "({c} ? {m}.?a : {m}.?b).hasValue()", "({c} ? optional.of({m}) : optional.none()).?a.hasValue()",
                  "{m}[?{s}].hasValue()", "dyn({m})[?{i}].hasValue()", "dyn([{k}])[?{i}].hasValue()", "dyn([{k}]).?a.hasValue()", "has(dyn([{k}]).a)"]
        values = {"m": inner, "c": self.make("bool", depth - 1), "c2": self.make("bool", depth - 1), "k": self.make(kind, depth - 1), "a": self.attribute(),
                  "s": self.make("string", depth - 1), "i": self.make("int", depth - 1)}
        return self.pick(frames).format(**values)

    def make_bool(self, wanted, depth):
        way = self.chance.randrange(26)
        if way < 3:
            return f"{self.make('bool', depth)} {self.pick(['&&', '||'])} {self.make('bool', depth)}"
        if way == 3:
            return f"!({self.make('bool', depth)})"
        if way < 7:
            return self.condition(depth)
        if way < 10:
            kind = self.a_type(2)
            return f"{self.make(kind, depth)} {self.pick(['==', '==', '!='])} {self.make(kind, depth)}"
        if way == 10:
            return f"dyn({self.make(self.a_type(2), depth)}) {self.pick(['==', '!=', 'in', '<', '>='])} dyn({self.make(self.a_type(2), depth)})"
        if way == 11:
            kind = self.pick(SIMPLE)
            return f"{self.make(kind, depth)} {self.pick(['<', '<=', '>', '>='])} {self.make(kind, depth)}"
        if way == 12:
            kind = self.a_type(1)
            return f"{self.make(kind, depth)} in {self.make(('list', kind), depth)}"
        if way == 13:
            kind = self.pick(["string", "int", "uint", "bool"])
            return f"{self.make(kind, depth)} in {self.make(('map', kind, self.a_type(1)), depth)}"
        if way == 14:
            kind, name = self.a_type(1), self.fresh()
            return f"{self.make(('list', kind), depth)}.{self.pick(['all', 'exists', 'exists_one'])}({name}, {self.within([(name, kind)], 'bool', depth)})"
        if way == 15:
            key, kind, name, other = self.pick(["string", "int"]), self.a_type(1), "k", "e"
            if self.chance.random() < .5:
                return f"{self.make(('map', key, kind), depth)}.{self.pick(['all', 'exists', 'existsOne'])}({name}, {other}, {self.within([(name, key), (other, kind)], 'bool', depth)})"
            return f"{self.make(('list', kind), depth)}.{self.pick(['all', 'exists', 'existsOne'])}({name}, {other}, {self.within([(name, 'int'), (other, kind)], 'bool', depth)})"
        if way == 16:
            a = self.make("string", depth)
            return self.pick(["{a}.contains({b})", "{a}.startsWith({b})", "{a}.endsWith({b})"]).format(a=a, b=self.make("string", depth))
        if way == 17:
            return f"{self.make('string', depth)}.matches({quoted(self.pick(PATTERNS))}{self.pick(['', '', ' + ' + self.leaf('string')])})"
        if way == 18:
            kind = self.pick(["quantity", "semver"])
            return f"{self.make(kind, depth)}.{self.pick(['isGreaterThan', 'isLessThan'])}({self.make(kind, depth)})"
        if way == 19:
            return self.pick(["isQuantity({s})", "isSemver({s})", "isSemver({s}, true)", "isIP({s})", "isCIDR({s})", "isURL({s})", "ip.isCanonical({s})"]).format(s=self.odd_text(depth))
        if way == 20:
            return self.pick(["{q}.isInteger()", "{i}.isGlobalUnicast()", "{i}.isLoopback()", "{i}.isUnspecified()", "{i}.isLinkLocalUnicast()", "{i}.isLinkLocalMulticast()",
                              "{c}.containsIP({i})", "{c}.containsCIDR({c2})", "{c}.containsIP({s})", "{c}.containsCIDR({s})"]).format(
                q=self.make("quantity", depth), i=self.make("ip", depth), c=self.make("cidr", depth), c2=self.make("cidr", depth), s=self.odd_text(depth))
        if way == 21:
            kind = self.pick(SIMPLE)
            return f"{self.make(('list', kind), depth)}.isSorted()"
        if way == 22:
            kind = self.a_type(1)
            return f"sets.{self.pick(['contains', 'equivalent', 'intersects'])}({self.make(('list', kind), depth)}, {self.make(('list', kind), depth)})"
        if way == 23:
            return f"{self.make(('optional', self.a_type(1)), depth)}.hasValue()"
        if way == 24:
            return f"format.{self.pick(FORMATS)}().validate({self.odd_text(depth)}).hasValue()"
        return self.pick([f"bool({self.make('string', depth)})", f"type({self.make(self.a_type(), depth)}) == {self.pick(['int', 'string', 'list', 'optional_type', 'map', 'net.IP'])}"])

    def odd_text(self, depth):
        pools = [TEXTS, QUANTITIES, VERSIONS, ADDRESSES, NETWORKS, URLS, TIMES, DURATIONS]
        text = quoted(self.pick(self.pick(pools)))
        return self.pick([text, text, f"({text} + {self.leaf('string')})", f"dyn({text})", self.make("string", depth)])

    def make_int(self, wanted, depth):
        way = self.chance.randrange(12)
        if way < 2:
            return f"({self.make('int', depth)} {self.pick(['+', '-', '*', '/', '%'])} {self.make('int', depth)})"
        if way == 2:
            return f"{self.make(self.pick(['string', 'bytes', ('list', self.a_type(1)), ('map', 'string', self.a_type(1))]), depth)}.size()"
        if way == 3:
            return f"int({self.make(self.pick(['uint', 'double', 'string', 'timestamp', 'duration', 'int']), depth)})"
        if way == 4:
            function = self.pick(["indexOf", "lastIndexOf"])
            if self.chance.random() < .6:
                return f"{self.make('string', depth)}.{function}({self.make('string', 0)}{self.pick(['', ', ' + self.make('int', 0)])})"
            kind = self.a_type(1)
            return f"{self.make(('list', kind), depth)}.{function}({self.make(kind, depth)})"
        if way == 5:
            kind = self.pick(["timestamp", "timestamp", "duration"])
            zone = f"({quoted(self.pick(ZONES))})" if kind == "timestamp" and self.chance.random() < .6 else "()"
            return f"{self.make(kind, depth)}.{self.pick(GETTERS if kind == 'timestamp' else GETTERS[6:])}{zone}"
        if way == 6:
            kind = self.pick(["quantity", "semver"])
            return f"{self.make(kind, depth)}.compareTo({self.make(kind, depth)})"
        if way == 7:
            return self.pick([f"{self.make('quantity', depth)}.asInteger()", f"sign({self.make('quantity', depth)})", f"{self.make('semver', depth)}.{self.pick(['major', 'minor', 'patch'])}()",
                              f"{self.make('ip', depth)}.family()", f"{self.make('cidr', depth)}.prefixLength()"])
        if way == 8:
            return f"{self.make(('list', 'int'), depth)}.{self.pick(['sum', 'min', 'max'])}()"
        if way == 9:
            return f"-({self.make('int', depth)})"
        return self.leaf("int")

    def make_uint(self, wanted, depth):
        return self.pick([f"({self.make('uint', depth)} {self.pick(['+', '-', '*', '/', '%'])} {self.make('uint', depth)})",
                          f"uint({self.make(self.pick(['int', 'double', 'string']), depth)})", f"{self.make(('list', 'uint'), depth)}.{self.pick(['sum', 'min', 'max'])}()", self.leaf("uint")])

    def make_double(self, wanted, depth):
        return self.pick([f"({self.make('double', depth)} {self.pick(['+', '-', '*', '/'])} {self.make('double', depth)})", f"double({self.make(self.pick(['int', 'uint', 'string']), depth)})",
                          f"{self.make(('list', 'double'), depth)}.{self.pick(['sum', 'min', 'max'])}()", f"{self.make('quantity', depth)}.asApproximateFloat()", f"-({self.make('double', depth)})",
                          self.leaf("double")])

    def make_string(self, wanted, depth):
        way = self.chance.randrange(14)
        s = self.make("string", depth)
        if way < 2:
            return f"({s} + {self.make('string', depth)})"
        if way == 2:
            return f"{s}.{self.pick(['lowerAscii', 'upperAscii', 'trim'])}()"
        if way == 3:
            return f"{s}.{self.pick(['substring', 'charAt'])}({self.make('int', 0)})"
        if way == 4:
            return f"{s}.substring({self.pick(['0', '1', '-1', '2'])}, {self.make('int', 0)})"
        if way == 5:
            return f"{s}.replace({self.make('string', 0)}, {self.make('string', 0)}{self.pick(['', ', ' + self.leaf('int')])})"
        if way == 6:
            return f"string({self.make(self.pick(SIMPLE + ['ip', 'cidr']), depth)})"
        if way == 7:
            return f"{self.make(('list', 'string'), depth)}.join({self.pick(['', self.make('string', 0)])})"
        if way == 8:
            return f"strings.quote({s})"
        if way in (9, 10):
            count = self.pick([1, 1, 2, 3])
            values = ", ".join(self.pick([f"dyn({self.make(self.a_type(2), depth)})", self.make(self.pick(SIMPLE), depth)]) for _ in range(count + self.pick([0, 0, 0, 1])))
            verbs = " ".join(self.pick(VERBS) for _ in range(count))
            return f"({quoted(verbs)} + {self.leaf('string')}).format([{values}])" if self.chance.random() < .5 else f"dyn({quoted(verbs)}).format([{values}])"
        if way == 11:
            return f"{s}.find({quoted(self.pick(PATTERNS))})"
        if way == 12:
            return f"{self.make('url', depth)}.{self.pick(['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath'])}()"
        return self.leaf("string")

    def make_bytes(self, wanted, depth):
        return self.pick([f"bytes({self.make('string', depth)})", f"({self.make('bytes', depth)} + {self.make('bytes', depth)})", self.leaf("bytes")])

    def make_duration(self, wanted, depth):
        return self.pick([f"duration({self.make('string', depth)})", f"({self.make('duration', depth)} {self.pick('+-')} {self.make('duration', depth)})",
                          f"({self.make('timestamp', depth)} - {self.make('timestamp', depth)})", f"{self.make(('list', 'duration'), depth)}.{self.pick(['sum', 'min', 'max'])}()",
                          self.leaf("duration"), f"duration({quoted(self.pick(DURATIONS))} + {self.leaf('string')})"])

    def make_timestamp(self, wanted, depth):
        return self.pick([f"timestamp({self.make('int', depth)})", f"({self.make('timestamp', depth)} {self.pick('+-')} {self.make('duration', depth)})", self.leaf("timestamp"),
                          f"timestamp({quoted(self.pick(TIMES))} + \"\")", self.leaf("timestamp")])

    def make_quantity(self, wanted, depth):
        argument = self.make(self.pick(["quantity", "quantity", "int"]), depth)
        return self.pick([f"{self.make('quantity', depth)}.{self.pick(['add', 'sub'])}({argument})", self.leaf("quantity"), self.capacity(), f"quantity({self.odd_text(depth)})"])

    def make_semver(self, wanted, depth):
        return self.pick([f"semver({self.odd_text(depth)}{self.pick(['', ', true'])})", self.leaf("semver")])

    def make_ip(self, wanted, depth):
        return self.pick([f"ip({self.odd_text(depth)})", f"{self.make('cidr', depth)}.ip()", self.leaf("ip")])

    def make_cidr(self, wanted, depth):
        return self.pick([f"cidr({self.odd_text(depth)})", f"{self.make('cidr', depth)}.masked()", self.leaf("cidr")])

    def make_url(self, wanted, depth):
        return self.pick([f"url({self.odd_text(depth)})", self.leaf("url"), f"url({quoted(self.pick(URLS))} + {self.leaf('string')})"])

    def make_optional(self, wanted, depth):
        inner = wanted[1]
        name = self.fresh()
        kind = self.a_type(1)
        return self.pick([lambda: f"optional.of({self.make(inner, depth)})", lambda: f"optional.ofNonZeroValue({self.make(inner, depth)})",
                          lambda: f"{self.make(('map', 'string', inner), depth)}[?{self.make('string', depth)}]", lambda: f"{self.make(('map', 'string', inner), depth)}.?{self.pick('ab')}",
                          lambda: f"{self.make(('list', inner), depth)}[?{self.make('int', depth)}]", lambda: f"{self.make(('optional', inner), depth)}.or({self.make(('optional', inner), depth)})",
                          lambda: f"{self.make(('optional', kind), depth)}.optMap({name}, {self.within([(name, kind)], inner, depth)})",
                          lambda: f"{self.make(('optional', kind), depth)}.optFlatMap({name}, {self.within([(name, kind)], wanted, depth)})",
                          lambda: f"optional.of({self.make(('map', 'string', inner), depth)}){self.pick(['.a', '.b', '.?a'])}",
                          lambda: f"{self.make(('list', inner), depth)}.{self.pick(['first', 'last'])}()",
                          lambda: f"{{\"a\": {self.make(('map', 'string', inner), depth)}}}{self.pick(['.?a.?b', '.?a.b', '.?a.a', '.?x.y'])}", lambda: self.leaf(wanted)])()

    def make_list(self, wanted, depth):
        inner = wanted[1]
        name, kind = self.fresh(), self.a_type(1)
        same = lambda: self.make(wanted, depth)
        ways = [lambda: "[" + ", ".join(self.make(inner, depth) for _ in range(self.pick([1, 2, 3]))) + "]", lambda: f"({same()} + {same()})",
                lambda: f"{self.make(('list', kind), depth)}.map({name}, {self.within([(name, kind)], inner, depth)})",
                lambda: f"{self.make(('map', 'string', kind), depth)}.map({name}, {self.within([(name, 'string')], inner, depth)})",
                lambda: f"{self.make(('list', kind), depth)}.map({name}, {self.within([(name, kind)], 'bool', depth)}, {self.within([(name, kind)], inner, depth)})",
                lambda: f"{same()}.filter({name}, {self.within([(name, inner)], 'bool', depth)})", lambda: f"{same()}.slice({self.leaf('int')}, {self.leaf('int')})",
                lambda: f"{same()}.{self.pick(['reverse', 'distinct'])}()", lambda: f"[{same()}, {same()}].flatten()",
                lambda: f"{self.make(('list', kind), depth)}.transformList(k, e, {self.within([('k', 'int'), ('e', kind)], inner, depth)})",
                lambda: f"{same()}.sortBy({name}, {self.within([(name, inner)], self.pick(SIMPLE), depth)})", lambda: f"[?{self.make(('optional', inner), depth)}, {self.make(inner, depth)}]",
                lambda: f"[{self.make(('optional', inner), depth)}].unwrapOpt()",
                lambda: f"lists.range({self.pick(['13', '20', '50', '3'])}).map({name}, {self.within([(name, 'int')], inner, depth)})"]
        if inner in SIMPLE:
            ways += [lambda: f"{same()}.sort()"] * 2
        if inner == "string":
            ways += [lambda: f"{self.make('string', depth)}.split({self.make('string', 0)}{self.pick(['', ', ' + self.leaf('int')])})",
                     lambda: f"{self.make('string', depth)}.findAll({quoted(self.pick(PATTERNS))}{self.pick(['', ', ' + self.leaf('int')])})",
                     lambda: f"{self.make('url', depth)}.getQuery()[{self.make('string', 0)}]", lambda: f"format.{self.pick(FORMATS)}().validate({self.odd_text(depth)}).orValue([])"]
        if inner == "int":
            ways += [lambda: f"lists.range({self.pick(['0', '3', '14', '-1', '30'])})",
                     lambda: f"lists.range({self.pick(['13', '20', '40', '100'])}).sortBy({name}, ({name} * {self.pick(['7', '5', '-3', '11'])}) % {self.pick(['5', '3', '13', '2'])})"]
        return self.pick(ways)()

    def make_map(self, wanted, depth):
        key, inner = wanted[1:]
        kind, name = self.a_type(1), self.fresh()
        ways = [lambda: "{" + ", ".join(f"{self.make(key, 0)}: {self.make(inner, depth)}" for _ in range(self.pick([1, 2]))) + "}",
                lambda: f"{{{self.make(key, 0)}: {self.make(inner, depth)}, ?{self.make(key, 0)}: {self.make(('optional', inner), depth)}}}",
                lambda: f"{self.make(('map', key, kind), depth)}.transformMap(k, e, {self.within([('k', key), ('e', kind)], inner, depth)})",
                lambda: f"{self.make(('map', key, kind), depth)}.transformMap(k, e, {self.within([('k', key), ('e', kind)], 'bool', depth)}, {self.within([('k', key), ('e', kind)], inner, depth)})",
                lambda: f"{self.make(('list', kind), depth)}.transformMapEntry(k, e, {{{self.within([('k', 'int'), ('e', kind)], key, depth)}: {self.within([('k', 'int'), ('e', kind)], inner, depth)}}})"]
        if key == "string":
            ways += [lambda: f"{{\"a\": {self.make(inner, depth)}, {self.make('string', depth)}: {self.make(inner, depth)}}}", lambda: f"{{\"a\": {self.make(inner, depth)}}}"]
            ways += [lambda: f"{{\"b\": {self.make(inner, depth)}}}"]
        if key == "string" and inner == ("list", "string"):
            ways += [lambda: f"{self.make('url', depth)}.getQuery()"]
        return self.pick(ways)()
