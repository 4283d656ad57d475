// What sites ask the service, whatever their framework.

/**
 * Reads an address of the service: {data, meta, headers}. Errors have a code, a status and headers. With preview
 * tokens, it reads what the first of them shows that shows this, with marks and previewed: true, and anything else as published.
 */
export async function ask(address, init = {}, tokens = []) {
  for (const token of tokens) {
    const url = new URL(address);
    url.searchParams.set("preview", token);
    url.searchParams.set("source", "stega");
    try {
      return { ...(await ask(url, init)), previewed: true };
    } catch (error) {
      if (error.status !== 400 && error.status !== 403) throw Object.assign(error, { previewed: true });
    }
  }
  const response = await fetch(address, { ...init, headers: { Accept: "application/json", ...init.headers } });
  const { headers, status } = response;
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return { ...answer, headers };
  const { code = "UNKNOWN", message = `The service answers ${status}.` } = answer.error ?? {};
  throw Object.assign(new Error(`${code}: ${message}`), { code, status, headers });
}

/** Returns what a catch-all route answers at a path. read reads a path of the API, query holds parameters of resolve. */
export async function pageAt(read, path, query = {}) {
  if (!/^\/(?!\/)/.test(path) || path.length > 2000) return { status: 404 };
  try {
    const { data, meta, previewed } = await read(`/resolve?${new URLSearchParams({ ...query, path })}`);
    if (meta.kind === "entry") return { status: 200, entry: data, previewed, ...meta };
    return { ...(meta.redirect ?? { status: 410 }), previewed, preview: meta.preview };
  } catch (error) {
    if (error.status === 404) return { status: 404, previewed: error.previewed };
    throw error;
  }
}

/** Says which preview a page shows, and that it is none where the token has ended or does not show it. */
export function describe({ entry, previewed, preview } = {}) {
  if (!previewed) return "You see what is published";
  if (!preview) return entry ? "Preview of a draft" : "Preview";
  const { at, release, changes } = preview;
  const date = at && new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long" });
  return `Preview of ${date || (release ? "a release" : "all drafts")} · ${changes} ${changes === 1 ? "change" : "changes"}`;
}
