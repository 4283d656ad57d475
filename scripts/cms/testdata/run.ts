// Uses the client of cms types on a running service; the test passes addresses and keys.
import { Client, ServiceError } from "./types.js";

declare const process: { env: { [name: string]: string } };
const { CMS_URL: url, PUBLIC_KEY: publicKey, KEY: key, SECRET: secret } = process.env as {
  CMS_URL: string; PUBLIC_KEY: string; KEY: string; SECRET: string;
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
