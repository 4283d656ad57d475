import type { Answer, Page } from "./service";

export type { Answer, MenuItem, Page } from "./service";

/** What a visitor previews. */
export interface Preview {
  model: string;
  id: string;
  path: string;
  token: string;
  /** Whether the token shows the whole site. */
  site?: boolean;
  /** Tokens of other entries, which were opened before. */
  others?: string[];
}

/** Reads a path of the API; call it in a function with "use cache". data is null where there is no such entry. */
export function read<T = unknown>(path: string, preview?: Preview | null): Promise<Answer<T>>;
/** What to answer at a path of the site; query holds parameters of resolve, such as include. */
export function findPage<T = any>(path: string, query?: Record<string, string>, preview?: Preview | null): Promise<Page<T>>;
/** What the visitor previews, or null outside of draft mode. */
export function preview(): Promise<Preview | null>;
/** GET of the route that preview_url leads to. */
export function startDraft(request: Request): Promise<Response>;
/** Turns draft mode off, and leads back to the page. */
export function endDraft(request: Request): Promise<never>;
/** POST of the route that takes webhooks. */
export function webhook(options: { secret: string }): (request: Request) => Promise<Response>;
