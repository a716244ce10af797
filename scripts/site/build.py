#!/usr/bin/python3
"""Builds the documents as a static site that opens from the disk: build.py OUTPUT.

Pages are README.md, CONTRIBUTING.md, docs/ and what these link to; besides them there is a reference of the C++ headers
and one of the Python package, made from the sources. The navigation is the map in docs/index.md. At the end every link of
every page is followed; one that leads nowhere ends the build with an error.
"""
import argparse
import html
import json
import shutil
import sys
from pathlib import Path

import cpp_reference
import python_reference
from links import broken_links

try:
    from pages import Page, Site
except ImportError as missing:
    print(f"the site needs the packages python3-markdown and python3-pygments: {missing}")
    sys.exit(77)

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]


def navigation(site, page):
    """The groups of pages, with the present one marked."""
    parts = []
    for title, entries in site.groups:
        items = []
        for target, name in entries:
            mark = ' aria-current="page"' if target == page.target else ""
            items.append(f'<li><a href="{page.link_to(target)}"{mark}>{html.escape(name)}</a></li>')
        is_open = " open" if any(target == page.target for target, _ in entries) else ""
        parts.append(f"<details{is_open}><summary>{html.escape(title)}</summary><ul>{''.join(items)}</ul></details>")
    return "\n".join(parts)


def write_page(site, page, template, output):
    root = page.link_to(Path("."))
    contents = "".join(f'<li class="level-{level}"><a href="#{anchor}">{html.escape(text)}</a></li>'
                       for level, text, anchor in page.headings if level in (2, 3))
    text = template
    for key, value in {
        "title": html.escape(page.title), "root": root, "navigation": navigation(site, page), "body": page.body,
        "contents": f"<nav class='contents'><strong>On this page</strong><ul>{contents}</ul></nav>" if contents else "",
    }.items():
        text = text.replace("{{" + key + "}}", value)
    target = output / page.target
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


def search_index(pages):
    """Titles and headings of all pages with a little of the text behind them."""
    entries = []
    for page in pages:
        entries.append([page.title, str(page.target), page.summary])
        entries += [[f"{page.title}: {text}", f"{page.target}#{anchor}", ""] for level, text, anchor in page.headings
                    if level in (2, 3)]
    return "const searchIndex = " + json.dumps(entries, ensure_ascii=False) + ";\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    output = parser.parse_args().output.resolve()
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)

    site = Site(SOURCE)
    site.add_documents()
    reference = [Page.from_text(site, Path("reference/cpp.html"), cpp_reference.markdown(SOURCE)),
                 Page.from_text(site, Path("reference/python.html"), python_reference.markdown(SOURCE))]
    site.groups.append(("Reference", [(page.target, page.title) for page in reference]))
    pages = [*site.pages(), *reference]

    template = (HERE / "page.html").read_text()
    for page in pages:
        write_page(site, page, template, output)
    for source, target in sorted(site.files.items()):
        (output / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, output / target)
    for name in ("style.css", "search.js"):
        shutil.copyfile(HERE / name, output / name)
    (output / "search-index.js").write_text(search_index(pages))

    problems = broken_links(output)
    print("\n".join(problems) or f"{len(pages)} pages, every link leads somewhere: {output / 'index.html'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
