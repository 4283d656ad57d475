// In previews: a bar that names the preview, and the script that lets a click open the field behind a text.

import { createElement as h, Fragment } from "react";

import { findPage, preview, read } from "./index.js";
import { describe } from "./service.js";

/**
 * Shows nothing outside of draft mode. leave is the route of endDraft. A layout stays when the visitor goes on, so the bar
 * says what the link shows that was opened.
 */
export async function Preview({ leave = "/api/draft/end" }) {
  const previewed = await preview();
  if (!previewed) return null;
  return h(Fragment, null,
    h("p", { id: "cms-preview" }, describe(await opened(previewed)), " · ", h("a", { href: leave }, "leave")),
    h("script", { src: `${process.env.CMS_URL}/assets/preview.js`, defer: true }));
}

async function opened(previewed) {
  const { model, id, path } = previewed;
  if (!model) return findPage(path, { fields: "id" }, previewed);
  const answer = await read(`/${encodeURIComponent(model)}/${encodeURIComponent(id)}?fields=id`, previewed);
  return { entry: answer.data, previewed: answer.previewed, preview: answer.meta.preview };
}
