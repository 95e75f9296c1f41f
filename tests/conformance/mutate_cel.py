"""Expressions made from others by chance: tokens dropped, added, exchanged, cut; parts of one put into another; lists, loops and conditions around them."""
import random, re

TOKEN = re.compile(r'''"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|[0-9.]+|\s+|[=!<>]=|&&|\|\||.''', re.S)
ODD = ['"', "'", "\\", "`", "\n", "\u00e9", "#", "0x", "u", "e", ".", "\U0001f600", "r'", "b'", "'''"]
LITERALS = ["9223372036854775807", "-9223372036854775808", "18446744073709551615u", "1.5e308", "null", '"a"', 'b"a"', "[]", "{}", "1", "true",
            '"2026-01-02T03:04:05Z"', '"1h"', '"40Gi"', '"1.2.3"', '"[a-z"', '"(a|b)*"', '"%d %s"']
AROUND = ["(%s)", "!(%s)", "[%s]", "{1: %s}", "[%s].map(x, x).size() > 0", "(%s) && true", "[1, 2].all(x, %s)", "cel.bind(v, %s, v)", "has(%s)",
          "optional.of(%s).orValue(true)", "true ? %s : false", "type(%s) == type(1)", "dyn(%s)", "string(%s) == ''", "(%s) == (%s)"]


def kind(token):
    """Tokens of one kind can mostly stand for each other."""
    return "word" if token[0].isalpha() or token[0] == "_" else "literal" if token[0] in "\"'0123456789" else "space" if token.isspace() else \
           "bracket" if token in "()[]{}" else "operator"


class Mutator:
    """Knows the words of the expressions that it is given."""

    def __init__(self, expressions, seed):
        self.chance = random.Random(seed)
        self.expressions = expressions
        self.tokens = [token for text in expressions for token in TOKEN.findall(text)]
        self.alike = {}
        for token in sorted(set(self.tokens)):
            self.alike.setdefault(kind(token), []).append(token)
        keep, breaks = [self.replace] * 8 + [self.literal] * 3 + [self.exchange] * 2 + [self.wrap] * 3, [self.drop, self.add, self.splice, self.cut]
        self.changes = keep + breaks

    def replace(self, tokens, at):
        tokens[at] = self.chance.choice(self.alike[kind(tokens[at])])

    def literal(self, tokens, at):
        places = [i for i, token in enumerate(tokens) if kind(token) == "literal"]
        tokens[self.chance.choice(places) if places else at] = self.chance.choice(LITERALS)

    def exchange(self, tokens, at):
        other = self.chance.choice([i for i, token in enumerate(tokens) if kind(token) == kind(tokens[at])])
        tokens[at], tokens[other] = tokens[other], tokens[at]

    def wrap(self, tokens, at):
        frame = self.chance.choice(AROUND)
        tokens[:] = TOKEN.findall(frame.replace("%s", "".join(tokens)))

    def drop(self, tokens, at):
        del tokens[at]

    def add(self, tokens, at):
        tokens.insert(at, self.chance.choice(self.tokens))

    def splice(self, tokens, at):
        part = TOKEN.findall(self.chance.choice(self.expressions))
        start = self.chance.randrange(len(part) + 1)
        tokens[at:at] = part[start:self.chance.randrange(start, len(part) + 1)]

    def cut(self, tokens, at):
        token = tokens[at]
        tokens[at] = token[:self.chance.randrange(len(token) + 1)] + self.chance.choice(ODD) + token[self.chance.randrange(len(token) + 1):]

    def one(self):
        """A new expression."""
        tokens = TOKEN.findall(self.chance.choice(self.expressions))
        for _ in range(self.chance.choice([1, 1, 2, 3])):
            if tokens:
                self.chance.choice(self.changes)(tokens, self.chance.randrange(len(tokens)))
        return "".join(tokens).replace("\0", "")
