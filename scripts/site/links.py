"""Follows every link of every page of a site on the disk."""
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

REFERENCE = re.compile(r'\b(?:href|src)="([^"]*)"')
ANCHOR = re.compile(r'\bid="([^"]*)"')


def broken_links(folder):
    """What leads nowhere, as sentences."""
    texts = {path: path.read_text() for path in sorted(folder.rglob("*.html"))}
    anchors = {path: set(map(unescape, ANCHOR.findall(text))) for path, text in texts.items()}
    problems = []
    for path, text in texts.items():
        for link in sorted(set(REFERENCE.findall(text))):
            if re.match(r"[a-z]+:", link):
                continue
            address, _, anchor = unescape(link).partition("#")
            target = (path.parent / unquote(address)).resolve() if address else path
            here = path.relative_to(folder)
            if not target.is_file():
                problems.append(f"{here}: {link} does not exist")
            elif anchor and target.suffix == ".html" and anchor not in anchors.get(target, set()):
                problems.append(f"{here}: there is no heading for {link}")
    return problems
