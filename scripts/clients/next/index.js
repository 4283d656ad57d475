// Reads of the API that Next.js caches until the content changes, drafts, and the webhook that
// tells of changes. CMS_URL, CMS_KEY and CMS_SECRET name the service and an API key.

import { cacheLife, cacheTag, revalidateTag } from "next/cache";
import { cookies, draftMode } from "next/headers";
import { redirect } from "next/navigation";

import { cookieName, request } from "./api.js";
import { pageAt } from "./service.js";
import { tagsOf, verified } from "./webhook.js";

const maxOthers = 4;

/**
 * Reads a path of the API, such as /posts?include=author. Call it in a function with "use cache":
 * its result is kept until something that the answer shows is changed. With a preview, which
 * preview() gives, it reads drafts and keeps nothing.
 */
export async function read(path, preview = null) {
  return tagged(path, preview).catch((error) => {
    if (error.code === "ENTRY_NOT_FOUND") return { data: null, meta: {} };
    throw error;
  });
}

/** What to answer at a path of the site, kept as read keeps; query holds parameters of resolve. */
export async function findPage(path, query = {}, preview = null) {
  return pageAt((asked) => tagged(asked, preview), path, query);
}

async function tagged(path, preview) {
  const answer = await request(path, preview).catch((error) => error);
  if (!preview) keep(answer.headers?.get("X-Cache-Tags"));
  if (answer instanceof Error) throw answer;
  const { data, meta, previewed } = answer;
  return { data, meta, previewed };
}

function keep(tags) {
  cacheLife(tags ? "max" : "seconds");
  if (tags) cacheTag(...tags.split(","));
}

/** What the visitor previews: {model, id, path, token, site, others}, or null outside of draft mode. */
export async function preview() {
  if (!(await draftMode()).isEnabled) return null;
  try {
    return JSON.parse((await cookies()).get(cookieName)?.value ?? "null");
  } catch {
    return null;
  }
}

/**
 * The route that preview_url leads to, as https://…/api/draft?preview={token}&path=/posts/{slug}: it
 * turns draft mode on for whoever has a valid token. path is looked up by resolve; the entry of a
 * model without addresses is named by model and id.
 */
export async function startDraft(incoming) {
  const query = new URL(incoming.url).searchParams;
  const [token, model, id] = ["preview", "model", "id"].map((name) => query.get(name) ?? "");
  const path = query.get("path") ?? "/";
  if (!isPath(path)) return new Response("path must be one of this site", { status: 400 });
  const place = model ? `/${encodeURIComponent(model)}/${encodeURIComponent(id)}?` : `/resolve?${new URLSearchParams({ path })}&`;
  let site = false;
  try {
    site = Boolean((await request(`${place}preview=${encodeURIComponent(token)}`)).meta.preview);
  } catch (error) {
    if (error.status === 404 && model) return new Response("There is no such draft.", { status: 404 });
    if (error.status === 403) return new Response("This preview link has ended, or does not show this page. Ask for a new one.", { status: 403 });
    if (error.status !== 404) return new Response("The content cannot be read. Try again later.", { status: 502 });
  }
  // Editors have the previews of several entries side by side. That of a site is alone.
  const before = await preview();
  const kept = before && !before.site && !site ? [before.token, ...(before.others ?? [])] : [];
  const others = kept.filter((other) => other !== token).slice(0, maxOthers);
  (await draftMode()).enable();
  (await cookies()).set(cookieName, JSON.stringify({ model, id, path, token, site, others }), options(incoming));
  redirect(path);
}

/** Turns draft mode off, and leads back to the page. */
export async function endDraft(incoming) {
  (await draftMode()).disable();
  (await cookies()).delete({ name: cookieName, ...options(incoming) });
  const from = incoming.headers.get("referer");
  const { host, pathname } = URL.canParse(from) ? new URL(from) : {};
  redirect(host === incoming.headers.get("host") && isPath(pathname) ? pathname : "/");
}

// isPath reports whether a browser takes it for a path of this site.
const isPath = (path) => /^\/(?![/\\])/.test(path);

// The frame beside the editor shows another site where the admin area has a domain of its own; the cookie of draft mode
// is sent there, too.
function options(incoming) {
  const secure = incoming.url.startsWith("https:");
  return { httpOnly: true, secure, sameSite: secure ? "none" : "lax", path: "/" };
}

/** The route that takes webhooks, signed with the secret of the subscription. */
export function webhook({ secret }) {
  return async function POST(incoming) {
    const body = await incoming.text();
    if (!verified(secret, incoming.headers, body)) return new Response("wrong signature", { status: 401 });
    for (const tag of tagsOf(JSON.parse(body))) revalidateTag(tag, { expire: 0 });
    return new Response(null, { status: 204 });
  };
}
