/** What a visitor previews. */
export interface Preview { model: string; id: string; token: string }

/** An answer of the API; data is null where there is no such entry. */
export interface Answer<T> { data: T; meta: { [name: string]: unknown } }

/** Reads a path of the API; call it in a function with "use cache". */
export function read<T = unknown>(path: string, preview?: Preview | null): Promise<Answer<T>>;
/** What the visitor previews, or null outside of draft mode. */
export function preview(): Promise<Preview | null>;
/** GET of the route that preview_url leads to. */
export function startDraft(request: Request): Promise<Response>;
/** Turns draft mode off. */
export function endDraft(): Promise<never>;
/** POST of the route that takes webhooks. */
export function webhook(options: { secret: string }): (request: Request) => Promise<Response>;
