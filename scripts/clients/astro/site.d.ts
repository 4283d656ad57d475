import type { AstroGlobal } from "astro";
import type { Answer, Page } from "./service";

export type { Answer, MenuItem, Page } from "./service";

export interface Site {
  /** Reads a path of the delivery API, such as /menus/main. */
  read<T = any>(path: string): Promise<Answer<T>>;
  /** What to answer at a path of the site; query holds parameters of resolve, such as include. */
  findPage<T = any>(path: string, query?: Record<string, string>): Promise<Page<T>>;
  /** Whether the visitor has a preview token. */
  previewing: boolean;
  /** Address of preview.js. */
  script: string;
}

/** Connects a page that is rendered on demand to the service. */
export function connect(
  access: { url: string; publicKey: string },
  context: Pick<AstroGlobal, "url" | "cookies" | "response">,
): Site;
