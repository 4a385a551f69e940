"""links.py SOURCE: every link of the pages leads to a file, and to a heading where it names one: as the site names headings and as code hosts do. Every page
of docs/ is in the site's menu, and no other."""
import re
import sys
import unicodedata
from pathlib import Path

source = Path(sys.argv[1])
pages = [source / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted((source / "docs").rglob("*.md"))
MADE = {"index.md", "verification.md", "CONTRIBUTING.md", "CHANGELOG.md"}  # pages of the menu that scripts/site puts there
wrong = []


def prose(page):
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.S | re.M)


def words(heading):
    return re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip()


def of_site(heading):
    ascii_only = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip().lower())


def of_host(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def headings(page, name):
    found = [name(words(h)) for h in re.findall(r"^#+ (.*)$", prose(page), re.M)]
    return set(found)


count = 0
for page in pages:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        count += 1
        path, _, anchor = target.partition("#")
        leads_to = (page.parent / path).resolve() if path else page
        if not leads_to.exists():
            wrong.append(f"{page.relative_to(source)}: {target}: no such file")
        elif anchor and not all(anchor in headings(leads_to, name) for name in (of_site, of_host)):
            wrong.append(f"{page.relative_to(source)}: {target}: no such heading")

menu = set(re.findall(r" (\S+\.md)$", (source / "docs/mkdocs.yml").read_text(), re.M))
there = {str(page.relative_to(source / "docs")) for page in pages[3:]}
wrong += [f"mkdocs.yml: {name} is not in the menu" for name in sorted(there - menu)]
wrong += [f"mkdocs.yml: there is no page {name}" for name in sorted(menu - there - MADE)]
print("\n".join(wrong) or f"{count} links lead somewhere")
sys.exit(1 if wrong or count < 100 else 0)
