// Reads published content from the delivery API. CMS_URL and CMS_PUBLIC_KEY stand in .env.

const env = { ...globalThis.process?.env, ...import.meta.env };

/** Asks the delivery API. The answer has data and meta, or is null for what does not exist. */
export async function read(path, parameters = {}) {
  const { CMS_URL: root = "http://localhost:3000", CMS_PUBLIC_KEY: key } = env;
  if (!key) throw new Error("Set CMS_PUBLIC_KEY in .env: cms keys create site --kind publishable");
  const address = `${root.replace(/\/+$/, "")}/delivery/v1/${key}${path}?${new URLSearchParams(parameters)}`;
  const response = await fetch(address);
  if (response.status === 404) return null;
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer;
}

/** All published entries of a model, with their addresses and their texts as HTML. */
export async function list(model, parameters = {}) {
  const entries = [];
  for (let cursor = ""; cursor !== null; ) {
    const query = { ...parameters, urls: "true", richtext: "html", per_page: "100" };
    const answer = await read(`/${model}`, cursor ? { ...query, cursor } : query);
    if (!answer) return entries; // there is no such model
    entries.push(...answer.data);
    cursor = answer.meta.next_cursor;
  }
  return entries;
}

/** The page at a path of the site: meta.kind is entry, redirect or gone. Null if there is none. */
export function resolve(path, parameters = { urls: "true", richtext: "html" }) {
  if (!/^\/(?!\/)/.test(path)) return null;
  return read("/resolve", { ...parameters, path });
}
