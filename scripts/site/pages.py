"""Pages from Markdown: links between them, anchors as GitHub makes them, code in colours."""
import html
import os
import re
from pathlib import Path

import markdown
from markdown.extensions.codehilite import CodeHiliteExtension
from markdown.extensions.toc import TocExtension

LINK = re.compile(r'(<(?:a|img)\b[^>]*?\b(?:href|src)=")([^"]+)(")')
HEADING = re.compile(r'<h([1-6]) id="([^"]*)">(.*?)</h\1>', re.S)
TABLE = re.compile(r"<table>.*?</table>", re.S)


def anchor_of(text, separator="-"):
    """As GitHub makes it of a heading: the documents link to such anchors."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", separator)


def plain(text):
    return html.unescape(re.sub(r"<[^>]+>", "", text)).strip()


def converted(text):
    extensions = ["tables", "fenced_code", "sane_lists", CodeHiliteExtension(guess_lang=False, css_class="code"),
                  TocExtension(slugify=anchor_of)]
    body = markdown.markdown(text, extensions=extensions)
    return TABLE.sub(lambda m: f'<div class="wide">{m[0]}</div>', body)


class Page:
    def __init__(self, target, body):
        self.target, self.body = target, body
        self.headings = [(int(level), plain(text), anchor) for level, anchor, text in HEADING.findall(body)]
        self.title = next((text for level, text, _ in self.headings if level == 1), target.stem)
        paragraph = re.search(r"<p>(.*?)</p>", body, re.S)
        self.summary = plain(paragraph[1])[:160] if paragraph else ""

    @classmethod
    def from_file(cls, site, source):
        page = cls(site.target_of(source), converted(source.read_text()))
        page.body = LINK.sub(lambda m: m[1] + page.rewritten(site, source, m[2]) + m[3], page.body)
        return page

    @classmethod
    def from_text(cls, site, target, text):
        return cls(target, converted(text))

    def link_to(self, target):
        return os.path.relpath(target, self.target.parent)

    def rewritten(self, site, source, link):
        """The same link in the site: to a page, or to a copy of the file."""
        address, hash_, anchor = link.partition("#")
        if not address or re.match(r"[a-z]+:", address):
            return link
        target = (source.parent / address).resolve()
        if not target.exists():
            return link  # the check of links tells
        return self.link_to(site.target_of(target)) + hash_ + anchor


class Site:
    """All documents of the repository, each with its place in the site."""

    def __init__(self, source):
        self.source = source
        self.groups = []
        self.files = {}  # copied as they are
        self.waiting, self.known = [], {}

    def target_of(self, path):
        path = path.resolve()
        if path in self.known:
            return self.known[path]
        relative = path.relative_to(self.source)
        if path.suffix != ".md":
            target = Path("files") / relative if path.is_file() else Path("files") / relative / "index.txt"
            if path.is_file():
                self.files[path] = target
            else:
                self.known[path] = target = Path("index.html")  # a folder has no page of its own
            return target
        place = relative.relative_to("docs") if relative.parts[0] == "docs" else relative
        names = {Path("README.md"): "index.html", Path("docs/index.md"): "map.html"}
        target = Path(names.get(relative, str(place.with_suffix(".html")).lower()))
        self.known[path] = target
        self.waiting.append(path)
        return target

    def add_documents(self):
        for path in [self.source / "README.md", *sorted(self.source.glob("docs/**/*.md")), self.source / "CONTRIBUTING.md"]:
            self.target_of(path)
        self.read_map((self.source / "docs" / "index.md").read_text())

    def read_map(self, text):
        """Each table of docs/index.md is a group of the navigation."""
        self.groups.append(("Driftless", [(Path("index.html"), "What it is"), (Path("map.html"), "Map of the documents")]))
        for title, table in re.findall(r"^(To .*?|How to .*?):$\n+((?:\|.*\n)+)", text, re.M):
            entries = []
            for name in re.findall(r"^\| \[([\w/.-]+\.md)\]", table, re.M):
                path = self.source / "docs" / name
                heading = re.search(r"^# (.*)$", path.read_text(), re.M)
                if name.startswith(".."):
                    continue
                entries.append((self.target_of(path), plain(heading[1]) if heading else name))
            self.groups.append((title, entries))
        self.groups.append(("To change it", [(self.target_of(self.source / "CONTRIBUTING.md"), "Working on Driftless")]))

    def pages(self):
        """Reading a page may make further ones known."""
        pages, done = [], set()
        while self.waiting:
            path = self.waiting.pop(0)
            if path not in done:
                done.add(path)
                pages.append(Page.from_file(self, path))
        return pages
