// Webhooks of the service: their signature, and which answers a change makes stale.

import { createHmac, timingSafeEqual } from "node:crypto";

const maxAgeSeconds = 5 * 60;

/** Reports whether a request carries a signature of Standard Webhooks that is valid and recent. */
export function verified(secret, headers, body, now = Date.now()) {
  const timestamp = headers.get("webhook-timestamp") ?? "";
  if (!secret || !/^\d+$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > maxAgeSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers.get("webhook-id")}.${timestamp}.${body}`;
  const wanted = createHmac("sha256", key).update(signed).digest();
  return (headers.get("webhook-signature") ?? "").split(" ").some((signature) => {
    const [version, text] = signature.split(",");
    const given = Buffer.from(text ?? "", "base64");
    return version === "v1" && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

/** The cache tags of the answers that an event makes stale. */
export function tagsOf({ event, data }) {
  switch (event.split(".")[0]) {
    case "changes":
      return data.tags ?? [];
    case "entry":
      return [`e.${data.id}`, `m.${data.model_slug}`, "entries", `l.${data.model_slug}.${data.locale}`];
    case "media":
      return event === "media.uploaded" ? [] : [`f.${data.id}`, "files"];
    case "settings":
      return ["settings"];
    case "locales":
      return ["locales", "schema", "settings"];
    case "menu":
      return [`menu.${data.slug}`];
    case "redirects":
    case "paths":
      return ["paths"];
    case "schema":
      return ["schema"];
    default:
      return [];
  }
}
