"""Ranks of pages in SQLite's FTS5: reads {pages, queries, depth} from stdin, prints a list of places, 0 for none."""

import json
import sqlite3
import sys

given = json.load(sys.stdin)
db = sqlite3.connect(":memory:")
tables = {}
for page in given["pages"]:
    table = tables.get(page["locale"])
    if table is None:
        table = tables[page["locale"]] = f"pages{len(tables)}"
        tokenizer = "porter unicode61 remove_diacritics 2" if page["locale"] == "en" else "unicode61 remove_diacritics 2"
        if page["locale"].split("-")[0] in ("ja", "ko", "zh"):
            tokenizer = "trigram"  # words are not parted by spaces
        db.execute(f"create virtual table {table} using fts5(slug unindexed, title, body, tokenize='{tokenizer}')")
    db.execute(f"insert into {table} values (?, ?, ?)", (page["slug"], page["title"], page["body"]))

places = []
for query in given["queries"]:
    words = ['"' + word.replace('"', '""') + '"' for word in query["text"].split()]
    table = tables[query["locale"]]
    try:
        rows = db.execute(
            f"select slug from {table} where {table} match ? order by bm25({table}, 0, 8, 1) limit ?",
            (" ".join(words), given["depth"]),
        ).fetchall()
    except sqlite3.OperationalError:
        rows = []
    slugs = [row[0] for row in rows]
    places.append(slugs.index(query["slug"]) + 1 if query["slug"] in slugs else 0)
json.dump(places, sys.stdout)
