// In previews: a bar that names the preview, and the script that lets a click open the field behind a text.

import { createElement as h, Fragment } from "react";

import { findPage, preview } from "./index.js";
import { describe } from "./service.js";

/** Shows nothing outside of draft mode. leave is the route of endDraft. */
export async function Preview({ leave = "/api/draft/end" }) {
  const previewed = await preview();
  if (!previewed) return null;
  const page = await findPage("/", { fields: "id" }, previewed);
  return h(Fragment, null,
    h("p", { id: "cms-preview" }, describe(page), " · ", h("a", { href: leave }, "leave")),
    h("script", { src: `${process.env.CMS_URL}/assets/preview.js`, defer: true }));
}
