"""How tests write objects in one line: an object that is known by name, and what is different.

    OBJECT   BASE [EDIT]...: an object of a file of bases; BASE/VERSION: the same in another version of its API
    EDIT     PATH=VALUE sets a value, PATH=- removes it, PATH+=VALUE appends the elements of a list to one
    PATH     a.b[0]["key with dots"].c; one behind the last element of a list appends
    VALUE    TERM[+TERM]...: texts, lists or objects, put together
    TERM     JSON; JSON*N: a text N times, the elements of a list or members of an object N times, with the number (0 to N-1) in the
             place of %d; JSON*A..B: the same with the numbers A to B

Names may repeat in an object of a JSON value; they stay as they are.
"""
import json, pickle, re

STEP = re.compile(r'\.?([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')
NAME = re.compile(r"([a-z0-9-]+)(?:/(v[0-9a-z]+))?(?:\s+|$)")
TIMES = re.compile(r"\*(\d+)(?:\.\.(\d+))?")


class Members(dict):
    """An object in which names repeat. It is written with all its members; what is looked up is the last one."""

    def __init__(self, pairs):
        super().__init__(pairs)
        self.pairs = pairs

    def items(self):
        return self.pairs


def read_members(pairs):
    return dict(pairs) if len(dict(pairs)) == len(pairs) else Members(pairs)


def write(value):
    """JSON without spaces, repeated names included."""
    return json.dumps(value, separators=(",", ":"))


def read(text):
    """JSON, repeated names included."""
    return json.loads(text, object_pairs_hook=read_members)


def copied(value):
    """As copy.deepcopy, some times as fast."""
    return pickle.loads(pickle.dumps(value))


def repeat(value, numbers):
    if isinstance(value, str):
        return value * len(numbers)
    text = write(value)
    return join([read(text.replace("%d", str(number))) for number in numbers] or [type(value)()])


def join(parts):
    """Texts, lists or objects as one."""
    if isinstance(parts[0], str):
        return "".join(parts)
    if isinstance(parts[0], dict):
        return {name: member for part in parts for name, member in part.items()}
    return [element for part in parts for element in part]


class Reader:
    """A text that is read from left to right."""

    def __init__(self, text, bases):
        self.text, self.at, self.bases = text, 0, bases

    def take(self, pattern):
        match = re.compile(pattern).match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match

    def end(self):
        if self.at != len(self.text):
            raise ValueError(f"not understood: {self.text[self.at:][:80]!r}")

    def object(self):
        name = self.take(NAME)
        if not name or name[1] not in self.bases:
            raise ValueError(f"no base: {self.text[self.at:][:80]!r}")
        document = json.loads(json.dumps(self.bases[name[1]]))  # a copy
        if name[2]:
            document["apiVersion"] = document["apiVersion"].split("/")[0] + "/" + name[2]
        while (edit := self.path()):
            self.edit(document, *edit)
        return document

    def path(self):
        """(path, whether what follows is appended), or None where no edit follows."""
        start, path = self.at, []
        while step := self.take(STEP):
            path.append(int(step[2]) if step[2] else step[1] or json.loads(step[3]))
        if path and (sign := self.take(r"\+?=")):
            return path, sign[0] == "+="
        self.at = start
        return None

    def edit(self, document, path, append):
        for step, following in zip(path, path[1:]):
            if isinstance(document, list) and step == len(document):
                document.append([] if isinstance(following, int) else {})
            elif isinstance(document, dict) and step not in document:
                document[step] = [] if isinstance(following, int) else {}
            document = document[step]
        if isinstance(document, Members):
            raise ValueError("an edit in an object in which names repeat")
        if not append and self.take(r"-(?:\s+|$)"):
            del document[path[-1]]
            return
        value = self.value()
        if append:
            document[path[-1]] += value
        elif isinstance(document, list) and path[-1] == len(document):
            document.append(value)
        else:
            document[path[-1]] = value

    def value(self):
        terms = [self.term()]
        while self.take(r"\+"):
            terms.append(self.term())
        self.take(r"\s+")
        return join(terms) if len(terms) > 1 else terms[0]

    def term(self):
        try:
            value, self.at = json.JSONDecoder(object_pairs_hook=read_members).raw_decode(self.text, self.at)
        except ValueError:
            raise ValueError(f"no JSON value: {self.text[self.at:][:80]!r}") from None
        if times := self.take(TIMES):
            first, last = (int(times[1]), int(times[2])) if times[2] else (0, int(times[1]) - 1)
            value = repeat(value, range(first, last + 1))
        return value
