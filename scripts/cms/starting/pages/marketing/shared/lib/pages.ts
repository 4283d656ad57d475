// What the pages of this site show of their entries.
import type { PageEntry } from "./site";

/** Pictures of sections with the widths of their variants, and texts as HTML. */
export const shown = { include: ["blocks.picture"], images: [400, 800, 1600], richtext: "html" } as const;

/** The description of a page for search engines. */
export function describe({ entry }: PageEntry): string | undefined {
  return entry.seo.description || entry.data.teaser;
}
