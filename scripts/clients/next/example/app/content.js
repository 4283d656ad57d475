import { read } from "headless-next";

export async function listPosts() {
  "use cache";
  return (await read("/posts?sort=title")).data;
}

export async function findPost(slug) {
  "use cache";
  return (await read(`/posts/${encodeURIComponent(slug)}?richtext=html`)).data;
}

/** The draft of the entry that a visitor previews, which no cache keeps. */
export async function findDraft(preview) {
  return (await read(`/posts/${preview.id}?richtext=html`, preview)).data;
}
