// Reads of the API that Next.js caches until the content changes, drafts, and the webhook that
// tells of changes. CMS_URL, CMS_KEY and CMS_SECRET name the service and an API key.

import { cacheLife, cacheTag, revalidateTag } from "next/cache";
import { cookies, draftMode } from "next/headers";
import { redirect } from "next/navigation";

import { tagsOf, verified } from "./webhook.js";

const cookieName = "cms-preview";

/**
 * Reads a path of the API, such as /posts?include=author. Call it in a function with "use cache":
 * its result is kept until something that the answer shows is changed. With a preview, which
 * preview() gives, it reads drafts and keeps nothing.
 */
export async function read(path, preview = null) {
  const url = new URL(`${process.env.CMS_URL}/api/v1${path}`);
  if (preview) url.searchParams.set("preview", preview.token);
  const response = await fetch(url, {
    headers: {
      Accept: "application/json",
      "X-API-Key": process.env.CMS_KEY,
      "X-API-Secret": process.env.CMS_SECRET,
      "X-Cache-Tags": "1",
    },
    cache: "no-store", // what is kept is the result of the function with "use cache"
  });
  const answer = await response.json().catch(() => ({}));
  if (!preview) {
    const tags = response.headers.get("X-Cache-Tags");
    if (tags) {
      cacheLife("max");
      cacheTag(...tags.split(","));
    } else {
      cacheLife("seconds");
    }
  }
  if (response.ok) return answer;
  const { code = "UNKNOWN", message = `The service answers ${response.status}.` } = answer.error ?? {};
  if (code === "ENTRY_NOT_FOUND") return { data: null, meta: {} };
  throw Object.assign(new Error(`${code}: ${message}`), { code, status: response.status });
}

/** What the visitor previews: {model, id, token}, or null outside of draft mode. */
export async function preview() {
  if (!(await draftMode()).isEnabled) return null;
  try {
    return JSON.parse((await cookies()).get(cookieName)?.value ?? "null");
  } catch {
    return null;
  }
}

/**
 * The route that the model's preview_url leads to, as
 * https://…/api/draft?preview={token}&model=posts&id={id}&path=/posts/{slug}: it turns draft mode
 * on for whoever has a valid token.
 */
export async function startDraft(request) {
  const query = new URL(request.url).searchParams;
  const [token, model, id] = ["preview", "model", "id"].map((name) => query.get(name) ?? "");
  const path = query.get("path") ?? "/";
  if (!/^\/(?![/\\])/.test(path)) return new Response("path must be one of this site", { status: 400 });
  try {
    const entry = await read(`/${encodeURIComponent(model)}/${encodeURIComponent(id)}`, { token });
    if (!token || !entry.data) return new Response("there is no such draft", { status: 404 });
  } catch (error) {
    return new Response("the preview was refused", { status: error.status === 403 ? 403 : 502 });
  }
  (await draftMode()).enable();
  (await cookies()).set(cookieName, JSON.stringify({ model, id, token }), {
    httpOnly: true, secure: request.url.startsWith("https:"), sameSite: "lax", path: "/",
  });
  redirect(path);
}

/** Turns draft mode off. */
export async function endDraft() {
  (await draftMode()).disable();
  (await cookies()).delete(cookieName);
  redirect("/");
}

/** The route that takes webhooks, signed with the secret of the subscription. */
export function webhook({ secret }) {
  return async function POST(request) {
    const body = await request.text();
    if (!verified(secret, request.headers, body)) return new Response("wrong signature", { status: 401 });
    for (const tag of tagsOf(JSON.parse(body))) revalidateTag(tag, { expire: 0 });
    return new Response(null, { status: 204 });
  };
}
