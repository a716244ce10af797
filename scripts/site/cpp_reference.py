"""The public headers as a page: what each is for, and its declarations with the comments above them."""
import re
from pathlib import Path

LEFT_OUT = re.compile(r"^(#|namespace \w|}  // namespace)")
NAME = re.compile(r"(?:class|struct|enum class|enum|using|namespace)\s+(?:\[\[\w+\]\]\s*)?(\w+)|(operator\S+|\w+)\s*\(")


def public_headers(source):
    """Those that are installed and that driftless.hpp includes, in their order there; then those that they include."""
    direct = re.findall(r'#include "(driftless/[^"]+)"', (source / "driftless/driftless.hpp").read_text())
    listed = re.findall(r"^\s+(driftless/\S+\.hpp)", (source / "cmake/PublicHeaders.cmake").read_text(), re.M)
    return direct, [header for header in listed if header not in direct and header != "driftless/driftless.hpp"]


def split_comment(lines, at):
    comment = []
    while at < len(lines) and lines[at].startswith("//"):
        comment.append(lines[at][2:].removeprefix(" "))
        at += 1
    return comment, at


def declarations(text):
    """(comment, code) of everything at the top level of the namespace."""
    lines = [line for line in text.splitlines() if not LEFT_OUT.match(line)]
    found, at = [], 0
    while at < len(lines):
        comment, at = split_comment(lines, at)
        code, depth = [], 0
        while at < len(lines) and not (not code and not lines[at].strip()):
            bare = re.sub(r'//.*|"(?:\\.|[^"])*"', "", lines[at])
            code.append(lines[at])
            depth += bare.count("{") + bare.count("(") - bare.count("}") - bare.count(")")
            at += 1
            if depth == 0 and bare.rstrip().endswith((";", "}")):
                break
        if code:
            found.append((" ".join(comment).strip(), "\n".join(code)))
        else:
            at += 1
    return found


def escaped(text):
    """Comments are plain text: what Markdown would read otherwise is kept as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)


def opening(text):
    lines = text.splitlines()
    comment, at = split_comment(lines, 0)
    return " ".join(line if line.strip() else "\n\n" for line in comment), "\n".join(lines[at:])


def section(source, header):
    about, rest = opening((source / header).read_text())
    parts = [f"## {header.removeprefix('driftless/')}", f"`#include \"{header}\"`", escaped(about)]
    seen = set()
    for comment, code in declarations(rest):
        match = NAME.search(code.replace("template", ""))
        name = next((group for group in match.groups() if group), "") if match else ""
        if name and name not in seen:
            parts.append(f"### {escaped(name)}")
            seen.add(name)
        if comment:
            parts.append(escaped(comment))
        parts.append(f"```cpp\n{code}\n```")
    return "\n\n".join(parts)


def markdown(source):
    direct, further = public_headers(source)
    head = ("# C++ reference\n\nMade from the headers that `#include \"driftless/driftless.hpp\"` brings. "
            "[cpp-api.md](../cpp-api.html) has complete programs.\n")
    return "\n\n".join([head, *(section(source, header) for header in direct),
                        *(section(source, header) for header in further)])
