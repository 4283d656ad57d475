// Content collections of Astro that are filled by the sync of the delivery API: the first build
// reads every published entry, later ones read what changed since.

import { ask } from "./service.js";

const maxTries = 5;

/** Loads a model, or the media files with the model "media", into a collection. */
export function cmsLoader(options) {
  return {
    name: `headless-${options.model}`,
    load: (context) => load(options, context),
  };
}

async function load(options, context) {
  const { store, meta, logger } = context;
  const start = startOf(options);
  if (meta.get("start") !== start) forget(store, meta);
  const resumed = meta.has("next");
  let changes;
  try {
    changes = await follow(options, meta.get("next") ?? start, context);
  } catch (error) {
    if (!resumed || error.code !== "SYNC_EXPIRED") throw error;
    logger.info("The last build is too long ago: everything is read again.");
    forget(store, meta);
    changes = await follow(options, start, context);
  }
  meta.set("start", start);
  logger.info(`${options.model}: ${changes} changes, ${store.keys().length} entries`);
}

/** The address that a sync starts from. Another one is another collection. */
function startOf({ url, publicKey, model, locale, body, images }) {
  const query = new URLSearchParams({ models: model });
  if (locale) query.set("locale", locale);
  if (images) query.set("images", images.join(","));
  const root = `${url.replace(/\/+$/, "")}/delivery/v1/${encodeURIComponent(publicKey)}/sync`;
  return `${root}?${query}${body ? `#${body}` : ""}`;
}

function forget(store, meta) {
  store.clear();
  meta.delete("next");
}

/** Takes page after page. The place to go on from is kept only when all of them were taken. */
async function follow(options, start, context) {
  const root = start.replace(/[?#].*/, "");
  let address = start;
  let changes = 0;
  for (;;) {
    const answer = await read(address);
    for (const change of answer.data) await apply(options, change, context);
    changes += answer.data.length;
    address = `${root}?token=${encodeURIComponent(answer.meta.next_token)}`;
    if (answer.meta.complete) break;
  }
  context.meta.set("next", address);
  return changes;
}

async function apply({ body }, change, { store, parseData, renderMarkdown, generateDigest }) {
  if (change.op === "delete") {
    store.delete(change.id);
    return;
  }
  const { entry } = change;
  const text = body && entry.data?.[body];
  store.set({
    id: entry.id,
    data: await parseData({ id: entry.id, data: entry }),
    digest: generateDigest(entry),
    ...(text ? { body: text, rendered: await renderMarkdown(text) } : {}),
  });
}

/** Reads an address, and again while the service is busy. */
async function read(address) {
  for (let tries = 1; ; tries++) {
    try {
      return await ask(address);
    } catch (error) {
      const busy = error.status === 429 || error.status === 503;
      if (!busy || tries === maxTries) throw error;
      const seconds = Number(error.headers.get("Retry-After")) || 1;
      await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, 60) * 1000));
    }
  }
}
