// Requests to the API with the key that CMS_KEY and CMS_SECRET name.

import { ask } from "./service.js";

export const cookieName = "cms-preview";

/** Reads a path of the API, and with a preview what its tokens show. What is kept is the result of a function with "use cache". */
export function request(path, preview = null) {
  const headers = { "X-API-Key": process.env.CMS_KEY, "X-API-Secret": process.env.CMS_SECRET, "X-Cache-Tags": "1" };
  return ask(`${process.env.CMS_URL}/api/v1${path}`, { headers, cache: "no-store" }, preview ? [preview.token, ...(preview.others ?? [])] : []);
}
