"""The documents of the repository, Markdown all of them, and what can be read out of one."""
import os, re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LEFT_OUT = re.compile(r"^(build|build-[^/]*|\.git|tests/manifests)(/|$)|(^|/)(__pycache__|node_modules)(/|$)")


def paths():
    """Relative to the root, sorted."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        here = os.path.relpath(folder, ROOT)
        folders[:] = [name for name in folders if not LEFT_OUT.search(os.path.normpath(os.path.join(here, name)))]
        found += [os.path.normpath(os.path.join(here, name)) for name in names if name.endswith(".md")]
    return sorted(found)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def code_blocks(text):
    """(line number of its first line, its lines) of each code block, fenced or indented by four spaces after an empty line."""
    block, start, fence, before = [], 0, None, ""
    for number, line in enumerate(text.split("\n"), 1):
        if fence:
            if line.strip() == fence:
                yield start, block
                block, fence = [], None
            else:
                block.append(line)
        elif line.startswith("```"):
            fence, start = "```", number + 1
        elif line.startswith("    ") and (block or not before.strip()):
            start = start if block else number
            block.append(line[4:])
        elif block and not line.strip():
            block.append("")
        elif block:
            yield start, block
            block = []
        before = line
    if block:
        yield start, block


def prose(text):
    """The text without its code."""
    lines, fence = [], False
    for line in text.split("\n"):
        fence ^= line.startswith("```")
        lines.append("" if fence or line.startswith(("```", "    ")) else re.sub(r"`[^`]*`", lambda code: " " * len(code[0]), line))
    return "\n".join(lines)


def transcripts(text):
    """(line number, command, expected lines) of each `$ command` in a code block."""
    for start, block in code_blocks(text):
        step = None
        for number, line in enumerate(block, start):
            if line.startswith("$ "):
                if step:
                    yield step
                step = (number, line[2:], [])
            elif step:
                step[2].append(line)
        if step:
            yield step


def anchors(text):
    """The anchors of the headings, as hubs make them."""
    found = []
    for heading in re.findall(r"^#+ +(.*?)\s*$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        found.append(slug if slug not in found else f"{slug}-{found.count(slug)}")
    return found


def links(text):
    """Targets of links and pictures."""
    return re.findall(r"\]\(([^)\s]+)\)", prose(text)) + re.findall(r'<(?:img|a)\s[^>]*(?:src|href)="([^"]+)"', text)
