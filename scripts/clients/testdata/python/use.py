"""Reads an entry with the clients that openapi-python-client makes of both documents."""

import os

import general
import live
from general.api.entries import get_entry
from live.api.posts import list_posts_entries

access = {
    "base_url": os.environ["CMS_URL"],
    "headers": {"X-API-Key": os.environ["CMS_KEY"], "X-API-Secret": os.environ["CMS_SECRET"]},
}
entry = get_entry.sync("posts", "hello", client=general.Client(**access))
assert entry.data.title == "Hello", entry
posts = list_posts_entries.sync(client=live.Client(**access))
assert posts.data[0].data.kind == "news" and posts.data[0].data.price == 3, posts
