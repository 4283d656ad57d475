// What the pages of this site show of their entries.
import type { PageEntry } from "./site";

/** Covers with the widths of their variants, and texts as HTML. */
export const shown = { include: ["cover"], images: [400, 800, 1600], richtext: "html" } as const;

/** The description of a page for search engines. */
export function describe({ model, entry }: PageEntry): string | undefined {
  return entry.seo.description || (model === "posts" ? entry.data.teaser : undefined);
}
