"""Expressions with one wrong name, written in every style that YAML and JSON have for texts, and where the name is then."""
import json, random

WRONG = "bogus"
PARTS = ["true", "1 == 1", "'é😀' == 'x'", '"a" != "c"', "(2 < 3)", "'\\\\d' == ''", "device.driver == 'a'", "'#' != ':'"]


class Text:
    """A text that is being written. The wrong name is its bytes from `start` to `end`."""

    def __init__(self, text):
        self.text, self.start, self.end = text, None, None

    def add(self, text):
        self.text += text

    def add_word(self, word, encode):
        """A word of the expression; `encode` writes a character."""
        for index, character in enumerate(word):
            wrong = word.startswith(WRONG) and index < len(WRONG)
            if wrong and index == 0:
                self.start = len(self.text.encode())
            self.text += encode(character)
            if wrong:
                self.end = len(self.text.encode())


def words_of_expression(dice):
    parts = [dice.choice(PARTS) for _ in range(dice.randint(1, 6))]
    parts.insert(dice.randint(0, len(parts)), WRONG)
    words = parts[0].split(" ")
    for part in parts[1:]:
        words += [dice.choice(["&&", "||"])] + part.split(" ")
    return words


def in_double_quotes(dice):
    def encode(character):
        roll, code = dice.random(), ord(character)
        if character in '"\\':
            return "\\" + character
        if roll < 0.1 and code < 0x100:
            return f"\\x{code:02x}"
        if roll < 0.2 and code < 0x10000:
            return f"\\u{code:04X}"
        return f"\\U{code:08x}" if roll < 0.25 else character
    return encode


def in_json(dice):
    def encode(character):
        if character in '"\\':
            return "\\" + character
        if dice.random() < 0.8:
            return character
        return json.dumps(character)[1:-1] if ord(character) > 0xFFFF else f"\\u{ord(character):04x}"
    return encode


def line_break(dice, indent, eol):
    return dice.choice(["", " ", "  ", "\t"]) + eol + " " * dice.randint(indent, indent + 4)


def add_flow(out, dice, words, quote, encode, indent, eol):
    """A plain text or one in quotes, over several lines."""
    out.add(quote)
    for index, word in enumerate(words):
        roll = dice.random()
        if index == 0:
            pass
        elif roll < 0.3:
            out.add(line_break(dice, indent, eol))
        elif roll < 0.4:
            out.add(dice.choice(["", " "]) + eol * dice.randint(2, 3) + " " * dice.randint(indent, indent + 3))
        elif roll < 0.5 and quote == '"':
            out.add(dice.choice(["\\n", "\\t", "\\x20", "\\ ", "\\x0a", "\\u0020", "\\r\\n"]))
        elif roll < 0.7 and quote == '"':
            out.add(dice.choice([" ", ""]) + "\\" + eol + " " * dice.randint(indent, indent + 3) + "\\ ")
        else:
            out.add(" " * dice.choice([1, 1, 1, 2, 3]))
        out.add_word(word, encode)
    out.add(quote)


def add_block(out, dice, words, style, indent, eol):
    """A literal or folded text: with an indentation indicator or without, chomped, with empty lines and indented ones."""
    own, explicit = indent + dice.randint(1, 4), dice.random() < 0.4
    marks = [dice.choice(["", "-", "+"]), str(own - indent) if explicit else ""]
    dice.shuffle(marks)
    out.add(style + "".join(marks) + dice.choice(["", " ", " # comment | ' \"", "  "]) + eol)
    for _ in range(dice.choice([0, 0, 0, 1, 2])):
        out.add(" " * dice.randint(0, own) + eol)
    out.add(" " * (own + (dice.randint(0, 3) if explicit else 0)))
    for index, word in enumerate(words):
        if index and dice.random() < 0.3:
            out.add(dice.choice(["", "", " ", "   "]) + eol)
            for _ in range(dice.choice([0, 0, 0, 1, 2])):
                out.add(" " * dice.randint(0, own) + eol)
            out.add(" " * (own + dice.choice([0, 0, 1, 3])))
        elif index:
            out.add(dice.choice([" ", " ", "  ", "\t"]))
        out.add_word(word, lambda character: character)
    out.add(eol + "".join(" " * dice.randint(0, own) + eol for _ in range(dice.choice([0, 0, 1, 2]))))


def json_layout(dice, eol):
    out = Text('{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",' + eol
               + '"metadata": {"name": "a"}, "spec": {"selectors": [{"cel": {"expression": "')
    for index, word in enumerate(words_of_expression(dice)):
        out.add(dice.choice([" ", "\\n", "\\t", "  ", "\\u0020", "\\u000A"]) if index else "")
        out.add_word(word, in_json(dice))
    out.add('"}}]}}' + eol)
    return out


def yaml_layout(dice, style, eol):
    encode = {"'": lambda character: character * 2 if character == "'" else character, '"': in_double_quotes(dice)}
    head = eol.join(["apiVersion: resource.k8s.io/v1", "kind: DeviceClass", "metadata:", "  name: a" + dice.choice(["", " # é😀"]), ""])
    words = words_of_expression(dice)
    if style in encode and dice.random() < 0.3:
        out = Text(head + "spec: {selectors: [{cel: {expression: ")
        add_flow(out, dice, words, style, encode[style], 1, eol)
        out.add("}}]}" + eol)
        return out
    pad = " " * dice.randint(2, 6)
    indent = len(pad) + 4
    out = Text(head + "spec:" + eol + "  selectors:" + eol + pad + "- cel:" + eol + " " * indent)
    next_line = "" if style in "|>" else eol + " " * (indent + 1)
    out.add(dice.choice(["expression: ", "expression:   ", "'expression': ", "expression: !!str ", "expression: &x ", f"expression: {next_line}"]))
    if style in "|>":
        add_block(out, dice, words, style, indent, eol)
    elif style in encode:
        add_flow(out, dice, words, style, encode[style], indent + 1, eol)
    else:
        plain = [word.replace("'#'", "'x'").replace("':'", "'y'") for word in words]
        add_flow(out, dice, [WRONG, "&&"] + ["true"] if plain[0][0] in "('\"" else plain, "", lambda character: character, indent + 1, eol)
    out.add((eol if style not in "|>" else "") + dice.choice(["", "# end" + eol, "---" + eol]))
    return out


def layouts(seed, count):
    """Texts, each with one wrong name."""
    for number in range(count):
        dice = random.Random(f"{seed}.{number}")
        eol, style = dice.choice(["\n", "\n", "\n", "\r\n"]), dice.choice(["plain", "'", '"', '"', "|", "|", ">", ">", "json"])
        yield json_layout(dice, eol) if style == "json" else yaml_layout(dice, style, eol)
