// What must compile with the types of schema.json, and what must not.
import { Client, ServiceError } from "./types.js";
import type {
  AuthorsRelated, Blog1Entry, Blog1_2Entry, EntryOf, ID, IncludedMedia, PostsData, PostsEntry,
  PostsFilter, PostsWrite,
} from "./types.js";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function is<_T extends true>(): void {}

const delivery = new Client({ url: "https://cms.example.com", publicKey: "pub_1" });
export const api = new Client({ url: "https://cms.example.com", key: "k", secret: "s", retries: 5 });
// @ts-expect-error a client needs a key
export const none = new Client({ url: "https://cms.example.com" });

export async function reads(): Promise<void> {
  const plain = await delivery.get("posts", "hello");
  is<Equal<typeof plain, PostsEntry>>();
  is<Equal<typeof plain.data.author, ID | undefined>>();
  is<Equal<typeof plain.data.kind, "news" | 'a "quoted" one' | undefined>>();
  is<Equal<typeof plain.data.see, { model: "posts" | "authors"; id: ID } | undefined>>();
  const seen = (await delivery.get("posts", "hello", { include: ["see.photo"] })).data.see;
  if (seen?.model === "authors") seen.data.photo?.url.toUpperCase();
  is<Equal<typeof plain.data.tags, ("go" | "cms")[] | undefined>>();

  const page = await delivery.list("posts", {
    include: ["cover", "author.photo", "steps.photo", "sections.by"],
    filter: {
      "data.kind": "news", "data.price": { gte: 1, lt: 10 }, "data.featured": true, "data.tags": { in: ["go"] },
      "data.place.city": { starts_with: "B" }, "data.extra.any.thing": "x", "data.sections.type": "quote",
      published_at: { gte: "2026-01-01" }, locale: "any",
    },
    sort: ["-data.price", "title"],
  });
  const data = page.data[0]!.data;
  is<Equal<typeof data.cover, IncludedMedia | null | undefined>>();
  is<Equal<typeof data.gallery, ID[] | undefined>>();
  is<Equal<typeof data.author, AuthorsRelated<"photo"> | null | undefined>>();
  const photo: IncludedMedia | null | undefined = data.author?.data.photo;
  const at: string | undefined = page.meta.sources?.["/data/0/title"] ?? page.meta.requested_locale;
  is<Equal<typeof at, string | undefined>>();
  const links = [page.data[0]?.url, page.data[0]?.translations?.[0]?.url, data.author?.url];
  is<Equal<typeof links, (string | null | undefined)[]>>();
  is<Equal<NonNullable<typeof data.author>["draft"], PostsEntry["draft"]>>();
  const mentor: ID | undefined = data.author?.data.mentor;
  const step: IncludedMedia | null | undefined = data.steps?.[0]?.photo;
  for (const section of data.sections ?? []) {
    if (section.type === "quote") section.by?.title.toUpperCase();
    else section.width?.toFixed();
    // @ts-expect-error only image has a width
    section.width;
  }
  console.log(photo, mentor, step);

  const home = await delivery.single("home", { include: ["posts.author.photo"] });
  home.data.posts?.[0]?.data.author?.data.photo?.url.toUpperCase();
  is<Equal<typeof plain.data.story, string | undefined>>();
  const told = await delivery.get("posts", "hello", { richtext: "parts,html", include: ["author", "story.to"] });
  for (const part of told.data.story ?? []) {
    if (part.type === "text") part.text.toUpperCase();
    else part.to?.title.toUpperCase();
  }
  const shown: string | undefined = (await delivery.get("posts", "hello", { richtext: "html" })).data.story;
  console.log(shown, told.data.author?.title);
  for await (const post of delivery.iterate("posts", { include: ["related"] })) {
    const related: string | undefined = post.data.related?.[0]?.data.author;
    console.log(related);
  }
  const found = await delivery.resolve("/posts/hello", { include: ["cover"], images: [400], richtext: "html", source: "map" });
  if (found?.kind === "entry" && found.model === "posts") {
    is<Equal<typeof found.entry.data.cover, IncludedMedia | null | undefined>>();
    is<Equal<typeof found.entry.data.story, string | undefined>>();
    found.alternates.map(({ locale, url }) => `${locale} ${url}`);
  }
  if (found?.kind === "redirect") found.to.toUpperCase();
  // @ts-expect-error only entries of the model have the field
  if (found?.kind === "entry") found.entry.data.cover;
  new Client({ url: "https://cms.example.com", publicKey: "pub_1", preview: "token", source: "stega" });
  const paths: ("cover" | "author")[] = ["cover"];
  const some = await delivery.list("posts", { include: paths });
  console.log(some.data[0]?.data.cover);
}

export async function trees(): Promise<void> {
  const pages = await delivery.list("pages", { filter: { ancestor: "x", parent: { null: false } }, sort: "tree" });
  is<Equal<typeof pages.data[number]["parent"], ID | null>>();
  const [page] = pages.data;
  await api.create("pages", { title: "x", parent: page!.parent, position: page!.position + 1 });
  await delivery.list("pages", { sort: ["parent", "-position"], filter: { position: { gt: 1 } } });
  // @ts-expect-error the order of a tree has no other direction
  await delivery.list("pages", { sort: "-tree" });
  // @ts-expect-error a model without a tree
  await delivery.list("posts", { filter: { ancestor: "x" } });
  // @ts-expect-error a model without a tree
  await api.create("posts", { title: "x", parent: null });
}

export async function mistakes(): Promise<void> {
  // @ts-expect-error no such model
  await delivery.list("pots");
  // @ts-expect-error inactive
  await delivery.list("old");
  // @ts-expect-error a single-type model has no list
  await delivery.list("home");
  // @ts-expect-error a model with many entries is none
  await delivery.single("posts");
  // @ts-expect-error a text in parts is no text
  (await delivery.get("posts", "hello", { richtext: "parts" })).data.story?.toUpperCase();
  // @ts-expect-error no reference
  await delivery.list("posts", { include: ["body"] });
  // @ts-expect-error too deep
  await delivery.list("posts", { include: ["author.mentor.mentor.photo"] });
  // @ts-expect-error no such option
  await delivery.list("posts", { filter: { "data.kind": "old" } });
  // @ts-expect-error numbers do not start with a text
  await delivery.list("posts", { filter: { "data.price": { starts_with: "1" } } });
  // @ts-expect-error no such field
  await delivery.list("posts", { filter: { "data.none": "x" } });
  // @ts-expect-error a list cannot be sorted by
  await delivery.list("posts", { sort: "data.tags" });
  // @ts-expect-error an object, not an id
  await api.create("posts", { title: "x", data: { see: "x" } });
  // @ts-expect-error an id, not an object
  await api.create("posts", { title: "x", data: { author: { id: "x" } } });
}

export const body: PostsWrite = {
  title: "x", status: "published", locale: "de",
  data: { body: null, sections: [{ type: "quote", text: "x" }], tags: ["go"], extra: { a: [1] } },
};
export const filter: PostsFilter = { "data.place": { null: false } };
export function cityOf(data: PostsData<string>): string | undefined { return data.place?.city; }
export function first(a: EntryOf<"blog-1">, b: EntryOf<"blog1">): [Blog1Entry, Blog1_2Entry] { return [a, b]; }
export function retry(error: unknown): boolean {
  return error instanceof ServiceError && error.status >= 500 && error.details["title"] !== undefined;
}
