// What a page that is rendered on demand reads from the delivery API, previews included.

import { ask, pageAt } from "./service.js";

const cookieName = "cms-preview";

/**
 * Connects a page to the service. A preview token comes from ?preview= of the address and is kept in a cookie for
 * the pages that follow; an empty one ends the preview.
 */
export function connect({ url: service, publicKey }, { url, cookies, response }) {
  const base = service.replace(/\/+$/, "");
  const root = `${base}/delivery/v1/${encodeURIComponent(publicKey)}`;
  const asked = url.searchParams.get("preview");
  const token = asked ?? cookies.get(cookieName)?.value ?? "";
  const secure = url.protocol === "https:"; // the frame beside the editor may be on another site than the admin area
  const options = { httpOnly: true, secure, sameSite: secure ? "none" : "lax", path: "/" };
  if (asked) cookies.set(cookieName, asked, options);
  if (asked === "") cookies.delete(cookieName, options);
  if (asked !== null || token) {
    response.headers.set("Cache-Control", "no-store");
    response.headers.set("Referrer-Policy", "same-origin");
    response.headers.set("X-Robots-Tag", "noindex");
  }
  const read = (path) => ask(root + path, {}, token ? [token] : []);
  const findPage = (path, query) => pageAt(read, path, query);
  return { read, findPage, previewing: Boolean(token), script: `${base}/assets/preview.js` };
}
