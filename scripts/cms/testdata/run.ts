// Uses the client of cms types on a running service; the test passes addresses and keys.
import { Client, ServiceError, plain } from "./types.js";

declare const process: { env: { [name: string]: string } };
const { CMS_URL: url, PUBLIC_KEY: publicKey, KEY: key, SECRET: secret, TOKEN: token } = process.env as {
  CMS_URL: string; PUBLIC_KEY: string; KEY: string; SECRET: string; TOKEN: string;
};

function check(what: string, holds: boolean): void {
  if (!holds) throw new Error(what);
}

const statuses: number[] = [];
let busy = 0;
/** The global fetch, which notes statuses and first answers 503 as often as busy says. */
async function noting(input: string, init?: RequestInit): Promise<Response> {
  if (busy > 0) {
    busy--;
    return new Response("", { status: 503, headers: { "Retry-After": "0" } });
  }
  const response = await fetch(input, init);
  statuses.push(response.status);
  return response;
}

const api = new Client({ url, key, secret, fetch: noting });
const author = await api.create("authors", { title: "Ann", status: "published", data: { email: "ann@example.com" } });
const titles = Array.from({ length: 5 }, (_, i) => `Post ${i}`);
for (const [i, title] of titles.entries()) {
  await api.create("posts", {
    title, status: "published",
    data: { price: i, kind: "news", author: author.id, sections: [{ type: "quote", text: "x", by: author.id }] },
  });
}
await api.create("home", { title: "Home", status: "published", data: { headline: "Hello" } });

for (const client of [api, new Client({ url, publicKey, fetch: noting })]) {
  const page = await client.list("posts", {
    filter: { "data.price": { gte: 3 }, "data.kind": { in: ["news"] } }, sort: "-data.price", include: ["author", "sections.by"],
  });
  check("filter and sort", page.data.map((post) => post.title).join() === "Post 4,Post 3");
  check("include", page.data[0]?.data.author?.data.email === "ann@example.com");
  const section = page.data[0]?.data.sections?.[0];
  check("include in blocks", section?.type === "quote" && section.by?.title === "Ann");

  const read: string[] = [];
  for await (const post of client.iterate("posts", { per_page: 2, sort: "title" })) read.push(post.title);
  check("iterate", read.join() === titles.join());

  statuses.length = 0;
  const first = await client.get("posts", "post-1");
  const again = await client.get("posts", "post-1");
  check(`ETag: ${statuses}`, statuses.join() === "200,304" && first.title === again.title && first !== again);

  busy = 2;
  check("retries", (await client.single("home")).data.headline === "Hello" && busy === 0);
  check("find nothing", await client.find("posts", "nothing") === null);
  check("locales", (await client.locales())[0]?.code === "en");
  check("settings", (await client.settings())["site"] !== undefined);
  check("search", (await client.search("post", { models: ["posts"] })).data.length === 5);
}

/** Sends a request to the admin area. */
async function admin(method: string, path: string, body: object): Promise<any> {
  const headers = { Authorization: `Bearer ${token}`, Accept: "application/json", "Content-Type": "application/json" };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()).data;
}

await admin("PUT", "/admin/models/posts", { url: "/posts/{slug}" });
await admin("POST", "/admin/redirects", { from: "/old", to: "/posts/post-1", status: 302 });
const drafted = await api.get("posts", "post-1");
await admin("PUT", `/admin/models/posts/entries/${drafted.id}/draft`, { title: "A draft" });
const { token: preview } = await admin("POST", `/admin/models/posts/entries/${drafted.id}/preview`, {});

let sent = new Headers();
const tagged = new Client({
  url, key, secret, init: { headers: [["X-Cache-Tags", "1"], ["accept", "text/plain"]] },
  fetch: async (input, init) => {
    sent = new Headers(init?.headers);
    return await fetch(input, init);
  },
});
await tagged.list("posts");
check("headers of init", sent.get("X-Cache-Tags") === "1" && sent.get("X-API-Key") === key &&
  sent.get("Accept") === "application/json");

const visitor = new Client({ url, publicKey });
const found = await visitor.resolve("/posts/post-1", { include: ["author"] });
check("resolve", found?.kind === "entry" && found.model === "posts" && found.entry.data.author?.title === "Ann" &&
  found.entry.title === "Post 1" && !found.previewed && found.url === "/posts/post-1");
const moved = await visitor.resolve("/old");
check("a redirect", moved?.kind === "redirect" && moved.to === "/posts/post-1" && moved.status === 302);
check("nowhere", await visitor.resolve("/nothing") === null && await visitor.resolve("//x") === null);

await admin("POST", "/admin/menus", { slug: "main", name: "Main", items: { en: [{ label: "Write", href: "mailto:a@example.com" }] } });
await admin("POST", "/admin/forms", { slug: "contact", name: "Contact", fields: [{ name: "email", label: "Email", type: "email", required: true }] });
check("menu", (await visitor.menu("main", { locale: "en", fallback: true }))[0]?.url === "mailto:a@example.com");
check("form", (await visitor.form("contact")).fields[0]?.label === "Email");

const reviewer = new Client({ url, publicKey, preview, source: "stega" });
const shown = await reviewer.resolve("/posts/post-1");
check("a preview", shown?.kind === "entry" && shown.previewed && shown.entry.title !== "A draft" && plain(shown.entry.title) === "A draft");
check("a preview by slug", plain((await reviewer.get("posts", "post-1")).title) === "A draft");
check("beside the preview", (await reviewer.list("posts")).data.length > 0 && (await reviewer.get("posts", "post-2")).title === "Post 2");
const late = new Client({ url, publicKey, preview: "ended" });
const published = await late.resolve("/posts/post-1");
check("an ended preview", published?.kind === "entry" && !published.previewed && published.entry.title === "Post 1");
check("an ended preview of nothing", await late.resolve("/nothing") === null && await late.find("posts", "nothing") === null);
const asked = await visitor.get("posts", "post-1", { preview: "ended" }).catch((error: unknown) => error);
check("a token of the query is refused", asked instanceof ServiceError && asked.status === 403);

busy = 4; // one more than retries
const refused = await api.locales().catch((error: unknown) => error);
check("gives up", refused instanceof ServiceError && refused.status === 503);
busy = 0;
const changed = await api.update("posts", (await api.get("posts", "post-0")).id, { title: "Changed" });
check("update", changed.title === "Changed");
const invalid = await api.create("posts", { data: {} }).catch((error: unknown) => error);
check("details", invalid instanceof ServiceError && invalid.status === 422 && invalid.details["title"] !== undefined);
await api.delete("posts", changed.id);
check("delete", await api.find("posts", changed.id) === null);
console.log("the client works");
