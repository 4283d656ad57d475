
/** The slug of a model. */
export type ModelSlug = keyof Models & string;
/** The slug of a model with many entries. */
export type CollectionSlug = {
  [S in ModelSlug]: Models[S]["kind"] extends "collection" ? S : never;
}[ModelSlug];
/** The slug of a model with one entry for each locale. */
export type SingleSlug = Exclude<ModelSlug, CollectionSlug>;
/** An entry of a model, with the paths in I included. */
export type EntryOf<S extends ModelSlug, I extends string = never, T extends TextForm = "text"> =
  Entries<I, T>[S];
/** What richtext takes, and the form that texts then have. */
export type RichText = "markdown" | "html" | "parts" | "parts,html";
export type FormOf<R extends RichText> = R extends `parts${string}` ? "parts" : "text";
export type IncludeOf<S extends ModelSlug> = Models[S]["include"];
export type FilterOf<S extends ModelSlug> = Models[S]["filter"];
export type SortOf<S extends ModelSlug> = Models[S]["sort"];
export type WriteOf<S extends ModelSlug> = Models[S]["write"];

/** What every read of entries takes. */
export interface ReadQuery<
  S extends ModelSlug, I extends IncludeOf<S> = never, R extends RichText = "markdown",
> {
  locale?: string;
  /** Media and relations to resolve in place. */
  include?: readonly I[];
  /** Top-level keys to answer; id is always there. */
  fields?: readonly string[];
  /** Widths in pixels for srcset of included pictures. */
  images?: readonly number[];
  translations?: boolean;
  fallback?: boolean;
  /** The form of rich texts; Markdown by default. */
  richtext?: R;
  /** Adds the address on the site to entries, included entries and translations. */
  urls?: boolean;
  /** Lays drafts over the entries; needs a key with an admin role. */
  version?: "published" | "draft";
}
export interface EntryQuery<
  S extends ModelSlug, I extends IncludeOf<S> = never, R extends RichText = "markdown",
> extends ReadQuery<S, I, R>, PreviewQuery {}
/** What a preview token asks for. The option preview of the client falls back to what is published. */
export interface PreviewQuery {
  /** A token for the preview of this entry. What it does not show is refused. */
  preview?: string;
  /** "stega" marks texts with the place where they are edited, which plain removes; "map" lists the places in meta. */
  source?: "stega" | "map";
}
export interface ListQuery<
  S extends CollectionSlug, I extends IncludeOf<S> = never, R extends RichText = "markdown",
> extends ReadQuery<S, I, R> {
  filter?: FilterOf<S>;
  sort?: SortOf<S> | readonly SortOf<S>[];
  q?: string;
  page?: number;
  per_page?: number;
  cursor?: string;
}
/** Keys that some queries add. */
export interface QueryMeta {
  /** Only with fallback: true. */
  requested_locale?: string;
  /** What a preview of the site shows. */
  preview?: { at?: ISODateTime; release?: string; drafts?: boolean; changes: number };
  /** Only with source: "map": where each text is edited, by its path in the answer. */
  sources?: { [path: string]: string };
}
/** The entry of a model at a path of the site. */
export interface FoundOf<S extends ModelSlug, I extends string = never, T extends TextForm = "text"> extends QueryMeta {
  kind: "entry";
  model: S;
  entry: EntryOf<S, I, T>;
  locale: string;
  url: string;
  /** The entry in each locale, this one included. */
  alternates: { locale: string; url: string }[];
  /** The entries above, in a model with a tree. */
  breadcrumbs?: { id: ID; title: string; url: string | null }[];
  /** Whether the option preview of the client shows it; if not, it is published. */
  previewed: boolean;
}
/** What is at a path of the site: an entry, a redirect, or something that is gone. */
export type Found<I extends string = never, T extends TextForm = "text"> =
  | { [S in ModelSlug]: FoundOf<S, I, T> }[ModelSlug]
  | { kind: "redirect"; to: string; status: 301 | 302 | 307 | 308 }
  | { kind: "gone" };
export interface SearchQuery {
  models?: readonly ModelSlug[];
  locale?: string;
  page?: number;
  per_page?: number;
  cursor?: string;
}

export interface PageMeta extends QueryMeta {
  page: number;
  per_page: number;
  total: number;
  next_cursor: string | null;
  total_relation?: "estimate";
}
export interface Page<T> { data: T[]; meta: PageMeta }
export interface SearchResult {
  id: ID;
  model: ModelSlug;
  slug: string;
  title: string;
  locale: string;
  published_at: ISODateTime | null;
  score: number;
  excerpt: string;
}
/** An item of a menu. A heading has no url. */
export interface MenuItem {
  id: string;
  label: string;
  url: string | null;
  target?: "_blank";
  rel?: string;
  children: MenuItem[];
}
/** What a page needs to show a form. */
export interface Form {
  name: string;
  slug: string;
  fields: {
    name: string; label?: string; type: string; required: boolean; max?: number; options?: string[]; mimes?: string[];
  }[];
  success_message: string;
}
export interface Locale {
  code: string;
  name: string;
  native_name: string;
  direction: "ltr" | "rtl";
  is_default: boolean;
  sort_order: number;
  fallback?: string | null;
}
export type SettingGroups = { [group: string]: { [key: string]: string } };

/** An answer that is no success. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: { [field: string]: string[] };
  constructor(status: number, error: Partial<Pick<ServiceError, "code" | "message" | "details">>) {
    super(error.message ?? `The service answers ${status}.`);
    this.name = "ServiceError";
    this.status = status;
    this.code = error.code ?? "UNKNOWN";
    this.details = error.details ?? {};
  }
}

interface CommonOptions {
  /** Root address of the service, such as https://cms.example.com. */
  url: string;
  /** Replaces the global fetch. */
  fetch?: (input: string, init?: RequestInit) => Promise<Response>;
  /** Added to every request. */
  init?: RequestInit;
  /** How often a request is repeated after 429 or 503; 3 by default. */
  retries?: number;
  /** The longest wait before a repetition in milliseconds; 60,000 by default. */
  maxWait?: number;
  /** How many answers are kept for their ETag; 200 by default, 0 for none. */
  kept?: number;
  /** A token of a preview. What it does not show is read as published, and everything once it has ended. */
  preview?: string;
  /** What to ask for together with preview; see PreviewQuery. */
  source?: PreviewQuery["source"];
}
/** For browsers and caches: published content with a publishable key. */
export interface DeliveryOptions extends CommonOptions { publicKey: string }
/** For servers: the API with a key and its secret. */
export interface ApiOptions extends CommonOptions { key: string; secret: string }
export type ClientOptions = DeliveryOptions | ApiOptions;

interface Answer { data: unknown; meta: unknown; previewed?: boolean }
type Parameters = { [name: string]: unknown };

/** Reads a service, and writes to it with a key of the API. */
export class Client {
  readonly #root: string;
  readonly #headers: { [name: string]: string };
  readonly #options: ClientOptions;
  readonly #kept = new Map<string, { etag: string; answer: Answer }>();

  constructor(options: ClientOptions) {
    const root = options.url.replace(/\/+$/, "");
    this.#options = options;
    if ("publicKey" in options) {
      this.#root = `${root}/delivery/v1/${encodeURIComponent(options.publicKey)}`;
      this.#headers = { Accept: "application/json" };
      return;
    }
    this.#root = `${root}/api/v1`;
    this.#headers = {
      Accept: "application/json", "X-API-Key": options.key, "X-API-Secret": options.secret,
    };
  }

  /** One page of a model's entries. */
  async list<S extends CollectionSlug, const I extends IncludeOf<S> = never, R extends RichText = "markdown">(
    model: S, query: ListQuery<S, I, R> = {},
  ): Promise<Page<EntryOf<S, I, FormOf<R>>>> {
    return await this.#get(`/${model}`, query) as Page<EntryOf<S, I, FormOf<R>>>;
  }

  /** All entries that a query matches, page by page. */
  async *iterate<S extends CollectionSlug, const I extends IncludeOf<S> = never, R extends RichText = "markdown">(
    model: S, query: ListQuery<S, I, R> = {},
  ): AsyncGenerator<EntryOf<S, I, FormOf<R>>, void, undefined> {
    for (let cursor = query.cursor; ;) {
      const page = await this.list<S, I, R>(model, cursor ? { ...query, cursor } : query);
      yield* page.data;
      if (page.meta.next_cursor === null) return;
      cursor = page.meta.next_cursor;
    }
  }

  /** One entry by its id or slug. */
  async get<S extends CollectionSlug, const I extends IncludeOf<S> = never, R extends RichText = "markdown">(
    model: S, idOrSlug: string, query: EntryQuery<S, I, R> = {},
  ): Promise<EntryOf<S, I, FormOf<R>>> {
    const path = `/${model}/${encodeURIComponent(idOrSlug)}`;
    return (await this.#get(path, query)).data as EntryOf<S, I, FormOf<R>>;
  }

  /** One entry by its id or slug; null where there is none. */
  async find<S extends CollectionSlug, const I extends IncludeOf<S> = never, R extends RichText = "markdown">(
    model: S, idOrSlug: string, query: EntryQuery<S, I, R> = {},
  ): Promise<EntryOf<S, I, FormOf<R>> | null> {
    try {
      return await this.get<S, I, R>(model, idOrSlug, query);
    } catch (error) {
      if (error instanceof ServiceError && error.code === "ENTRY_NOT_FOUND") return null;
      throw error;
    }
  }

  /** The entry of a single-type model. */
  async single<S extends SingleSlug, const I extends IncludeOf<S> = never, R extends RichText = "markdown">(
    model: S, query: EntryQuery<S, I, R> = {},
  ): Promise<EntryOf<S, I, FormOf<R>>> {
    return (await this.#get(`/${model}/single`, query)).data as EntryOf<S, I, FormOf<R>>;
  }

  /** What is at a path of the site, such as /posts/hello; null where there is nothing. */
  async resolve<const I extends IncludeOf<ModelSlug> = never, R extends RichText = "markdown">(
    path: string, query: EntryQuery<ModelSlug, I, R> = {},
  ): Promise<Found<I, FormOf<R>> | null> {
    if (!/^\/(?!\/)/.test(path) || path.length > 2000) return null;
    try {
      const { data, meta, previewed = false } = await this.#get("/resolve", { ...query, path });
      const { kind, redirect, ...more } = meta as Parameters & { kind: string };
      if (kind === "redirect") return { kind, ...redirect as object } as Found<I, FormOf<R>>;
      return (kind === "entry" ? { ...more, kind, entry: data, previewed } : { kind }) as Found<I, FormOf<R>>;
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return null;
      throw error;
    }
  }

  /** Full-text search over models. */
  async search(q: string, query: SearchQuery = {}): Promise<Page<SearchResult>> {
    return await this.#read("/search", { ...query, q }) as Page<SearchResult>;
  }

  /** The items of a menu. With fallback, those of the first locale in the chain that has any. */
  async menu(slug: string, query: { locale?: string; fallback?: boolean } = {}): Promise<MenuItem[]> {
    return (await this.#get(`/menus/${encodeURIComponent(slug)}`, query)).data as MenuItem[];
  }

  async form(slug: string): Promise<Form> {
    return (await this.#read(`/forms/${encodeURIComponent(slug)}`, {})).data as Form;
  }

  async locales(): Promise<Locale[]> {
    return (await this.#read("/i18n/locales", {})).data as Locale[];
  }

  async settings(locale?: string): Promise<SettingGroups> {
    return (await this.#read("/settings", { locale })).data as SettingGroups;
  }

  /** Creates an entry. Only with a key of the API that has the scope write. */
  async create<S extends ModelSlug>(model: S, body: WriteOf<S>): Promise<EntryOf<S>> {
    return (await this.#send("POST", `/${model}`, body)).data as EntryOf<S>;
  }

  /** Changes an entry: omitted keys stay. Only with a key of the API that has the scope write. */
  async update<S extends ModelSlug>(
    model: S, id: ID, body: WriteOf<S>,
  ): Promise<EntryOf<S>> {
    return (await this.#send("PUT", `/${model}/${id}`, body)).data as EntryOf<S>;
  }

  /** Moves an entry to the trash. Only with a key of the API that has the scope delete. */
  async delete(model: ModelSlug, id: ID): Promise<void> {
    await this.#send("DELETE", `/${model}/${id}`);
  }

  /** Reads with the preview token of the client, and without it if the service refuses the token there. */
  async #get(path: string, query: object): Promise<Answer> {
    const { preview, source } = this.#options;
    if (preview && !("preview" in query)) {
      try {
        return { ...await this.#read(path, { ...query, preview, source }), previewed: true };
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 400 && error.status !== 403) throw error;
      }
    }
    return this.#read(path, query);
  }

  async #read(path: string, query: object): Promise<Answer> {
    const address = this.#root + path + queryString(query as Parameters);
    const kept = this.#kept.get(address);
    const response = await this.#request(address, {
      headers: kept ? { ...this.#headers, "If-None-Match": kept.etag } : this.#headers,
    });
    if (response.status === 304 && kept) return structuredClone(kept.answer);
    const answer = await read(response);
    this.#keep(address, response.headers.get("ETag"), answer);
    return answer;
  }

  #keep(address: string, etag: string | null, answer: Answer): void {
    const most = this.#options.kept ?? 200;
    this.#kept.delete(address);
    if (etag === null || most === 0) return;
    this.#kept.set(address, { etag, answer: structuredClone(answer) });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most) break;
      this.#kept.delete(oldest);
    }
  }

  /** Writes carry an Idempotency-Key, so that repeating a create makes one entry. */
  async #send(method: string, path: string, body?: object): Promise<Answer> {
    const headers: { [name: string]: string } = { ...this.#headers };
    if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID();
    if (body === undefined) return read(await this.#request(this.#root + path, { method, headers }));
    headers["Content-Type"] = "application/json";
    return read(await this.#request(this.#root + path, { method, headers, body: JSON.stringify(body) }));
  }

  async #request(address: string, init: RequestInit): Promise<Response> {
    const { fetch: send = fetch, init: common, retries = 3, maxWait = 60_000 } = this.#options;
    const headers = new Headers(common?.headers);
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    for (let attempt = 0; ; attempt++) {
      const response = await send(address, { ...common, ...init, headers });
      const busy = response.status === 429 || response.status === 503;
      if (!busy || attempt >= retries) return response;
      const wait = retryAfter(response.headers.get("Retry-After"), attempt);
      if (wait > maxWait) return response;
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Milliseconds to wait: the seconds or the time of Retry-After, else 0.5, 1, 2 … seconds. */
function retryAfter(header: string | null, attempt: number): number {
  const seconds = Number(header);
  if (header !== null && header.trim() !== "" && seconds >= 0) return seconds * 1000;
  const until = Date.parse(header ?? "") - Date.now();
  return Number.isNaN(until) ? 500 * 2 ** attempt : Math.max(0, until);
}

/** Takes the invisible marks of source: "stega" out of a text. */
export function plain(text: string): string {
  return text.replace(/[\u200b\u200c\u200d\ufeff]{4,}/g, (run) => (run.startsWith("\u200b".repeat(4)) ? "" : run));
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  let answer: Answer & { error?: ConstructorParameters<typeof ServiceError>[1] | null };
  try {
    answer = text === "" ? { data: null, meta: {} } : JSON.parse(text);
  } catch {
    throw new ServiceError(response.status, {});
  }
  if (!response.ok) throw new ServiceError(response.status, answer.error ?? {});
  return { data: answer.data, meta: answer.meta };
}

function queryString(query: Parameters): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (name === "filter") addFilters(parameters, (value ?? {}) as Parameters);
    else if (Array.isArray(value)) { if (value.length > 0) parameters.set(name, value.join(",")); }
    else if (value !== undefined && value !== false) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

function addFilters(parameters: URLSearchParams, filter: Parameters): void {
  for (const [path, where] of Object.entries(filter)) {
    if (where === undefined) continue;
    if (typeof where !== "object" || where === null) {
      parameters.set(`filter[${path}]`, String(where));
      continue;
    }
    for (const [operator, value] of Object.entries(where)) {
      if (value === undefined) continue;
      const name = operator === "eq" ? `filter[${path}]` : `filter[${path}][${operator}]`;
      parameters.set(name, Array.isArray(value) ? value.join(",") : String(value));
    }
  }
}
