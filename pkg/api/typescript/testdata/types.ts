// Made by cms types. Do not edit: run cms types again after a change of the models.
/* eslint-disable */

/** The UUID of an entry or a media file. */
export type ID = string;
/** A day, such as 2026-01-31. */
export type ISODate = string;
/** A time in UTC, such as 2026-01-31T12:00:00.000Z. */
export type ISODateTime = string;
export type Status = "draft" | "published" | "archived";
/** The value of a json field. */
export type JSONValue =
  | string | number | boolean | null | JSONValue[] | { [key: string]: JSONValue };

export interface Seo { title: string; description: string; noindex?: boolean }

/** A media file where an include resolves it. */
export interface IncludedMedia {
  id: ID;
  url: string;
  alt: string;
  name?: string;
  mime?: string;
  width?: number | null;
  height?: number | null;
  focal?: { x: number; y: number } | null;
  placeholder?: string | null;
  /** Only with the query parameter images. */
  srcset?: string;
}

/** A member of an entry's translation group. */
export interface Translation {
  locale: string;
  id: ID;
  slug: string;
  title: string;
  status: Status;
  /** Only with urls: true; null where the model has no template. */
  url?: string | null;
}

/** The keys that every entry has. A query with fields answers only the named ones and id. */
export interface CommonKeys {
  id: ID;
  slug: string;
  title: string;
  status: Status;
  locale: string;
  seo: Seo;
  published_at: ISODateTime | null;
  created_at: ISODateTime;
  updated_at: ISODateTime;
  version: number;
  /** Only with translations: true. */
  translations?: Translation[];
  /** Only with urls: true; null where the model has no template. */
  url?: string | null;
  /** In lists and includes with version: "draft", of an entry that has one. */
  draft?: { base_version: number; version: number; updated_at: ISODateTime; actor?: string | null };
}
/** The keys of an entry that another one includes. */
export type RelatedKeys = Pick<CommonKeys, "id" | "slug" | "title" | "url" | "draft">;

/** The keys that every write takes. On update, omitted keys stay and null clears. */
export interface CommonWrite {
  title?: string | null;
  slug?: string | null;
  status?: Status | null;
  locale?: string | null;
  seo?: { title?: string | null; description?: string | null; noindex?: boolean | null } | null;
  translation_of?: ID | null;
}

/** The form of rich texts: Markdown or HTML, or a list of parts. */
export type TextForm = "text" | "parts";
/** A part of a rich text that is no block: Markdown, or HTML. */
export interface TextPart { type: "text"; text: string }
/** A rich text, whose parts may be blocks of the types in Block. */
export type Texts<T extends TextForm, Block = never> = T extends "parts" ? (TextPart | Block)[] : string;

/** What the paths in I ask for below the field P. */
export type Below<I extends string, P extends string> =
  string extends I ? string : I extends `${P}.${infer Rest}` ? Rest : never;

/** Object where the paths in I name the field P, else Id; both where I is not known. */
export type Resolved<I extends string, P extends string, Object, Id> =
  string extends I ? Object | Id
  : [Extract<I, P | `${P}.${string}`>] extends [never] ? Id : Object;

/** Conditions on one value. All that are given must hold. */
export interface Comparison<T> {
  eq?: T;
  ne?: T;
  lt?: T;
  lte?: T;
  gt?: T;
  gte?: T;
  in?: readonly T[];
  nin?: readonly T[];
  null?: boolean;
}
export interface TextComparison<T extends string> extends Comparison<T> {
  contains?: string;
  starts_with?: string;
}
/** A value that must be equal, or conditions. On a list, equality means that it contains the value. */
export type Where<T extends number | boolean> = T | Comparison<T>;
export type WhereTime = ISODate | ISODateTime | Comparison<ISODate | ISODateTime>;
export type WhereText<T extends string = string> = T | TextComparison<T>;
export type WhereObject = { null: boolean };

/** Filters that every model takes. */
export interface CommonFilter {
  id?: WhereText;
  title?: WhereText;
  slug?: WhereText;
  status?: WhereText<Status | "any">;
  locale?: WhereText;
  created_at?: WhereTime;
  updated_at?: WhereTime;
  published_at?: WhereTime;
}
/** A name to sort by; a minus before it sorts in descending order. */
export type Sorted<Name extends string> = Name | `-${Name}`;
export type CommonSort = Sorted<
  "title" | "slug" | "status" | "locale" | "created_at" | "updated_at" | "published_at">;

/** The fields of an entry of "authors". I holds the paths that are included, T the form of rich texts. */
export interface AuthorsData<I extends string = never, T extends TextForm = "text"> {
  photo?: Resolved<I, "photo", IncludedMedia | null, ID>;
  email?: string;
  mentor?: Resolved<I, "mentor", AuthorsRelated<Below<I, "mentor">, T> | null, ID>;
}
/** An entry of "authors". */
export interface AuthorsEntry<I extends string = never, T extends TextForm = "text"> extends CommonKeys {
  data: AuthorsData<I, T>;
}
/** An entry of "authors" where another one includes it. */
export interface AuthorsRelated<I extends string = never, T extends TextForm = "text"> extends RelatedKeys {
  model: "authors";
  data: AuthorsData<I, T>;
}
/** What a write to "authors" takes. */
export interface AuthorsWrite extends CommonWrite {
  data?: {
    photo?: ID | null;
    email?: string | null;
    mentor?: ID | null;
  } | null;
}
export interface AuthorsFilter extends CommonFilter {
  "data.photo"?: WhereText;
  "data.email"?: WhereText;
  "data.mentor"?: WhereText;
}
export type AuthorsSort = CommonSort | Sorted<"data.photo" | "data.email" | "data.mentor">;
export type AuthorsInclude1 = "mentor" | "photo";
export type AuthorsInclude2 = "mentor" | "photo" | `mentor.${AuthorsInclude1}`;
export type AuthorsInclude = "mentor" | "photo" | `mentor.${AuthorsInclude2}`;

/** The fields of an entry of "blog-1". _I holds the paths that are included, _T the form of rich texts. */
export interface Blog1Data<_I extends string = never, _T extends TextForm = "text"> {
}
/** An entry of "blog-1". */
export interface Blog1Entry<I extends string = never, T extends TextForm = "text"> extends CommonKeys {
  data: Blog1Data<I, T>;
}
/** An entry of "blog-1" where another one includes it. */
export interface Blog1Related<I extends string = never, T extends TextForm = "text"> extends RelatedKeys {
  model: "blog-1";
  data: Blog1Data<I, T>;
}
/** What a write to "blog-1" takes. */
export interface Blog1Write extends CommonWrite {
  data?: {
  } | null;
}
export interface Blog1Filter extends CommonFilter {
}
export type Blog1Sort = CommonSort;
export type Blog1Include1 = never;
export type Blog1Include2 = never;
export type Blog1Include = never;

/** The fields of an entry of "blog1". _I holds the paths that are included, _T the form of rich texts. */
export interface Blog1_2Data<_I extends string = never, _T extends TextForm = "text"> {
  note?: string;
}
/** An entry of "blog1". */
export interface Blog1_2Entry<I extends string = never, T extends TextForm = "text"> extends CommonKeys {
  data: Blog1_2Data<I, T>;
}
/** An entry of "blog1" where another one includes it. */
export interface Blog1_2Related<I extends string = never, T extends TextForm = "text"> extends RelatedKeys {
  model: "blog1";
  data: Blog1_2Data<I, T>;
}
/** What a write to "blog1" takes. */
export interface Blog1_2Write extends CommonWrite {
  data?: {
    note?: string | null;
  } | null;
}
export interface Blog1_2Filter extends CommonFilter {
  "data.note"?: WhereText;
}
export type Blog1_2Sort = CommonSort | Sorted<"data.note">;
export type Blog1_2Include1 = never;
export type Blog1_2Include2 = never;
export type Blog1_2Include = never;

/** The fields of an entry of "home". I holds the paths that are included, T the form of rich texts. */
export interface HomeData<I extends string = never, T extends TextForm = "text"> {
  headline?: string;
  posts?: Resolved<I, "posts", PostsRelated<Below<I, "posts">, T>, ID>[];
}
/** An entry of "home". */
export interface HomeEntry<I extends string = never, T extends TextForm = "text"> extends CommonKeys {
  data: HomeData<I, T>;
}
/** An entry of "home" where another one includes it. */
export interface HomeRelated<I extends string = never, T extends TextForm = "text"> extends RelatedKeys {
  model: "home";
  data: HomeData<I, T>;
}
/** What a write to "home" takes. */
export interface HomeWrite extends CommonWrite {
  data?: {
    headline?: string | null;
    posts?: ID[] | null;
  } | null;
}
export interface HomeFilter extends CommonFilter {
  "data.headline"?: WhereText;
  "data.posts"?: WhereText;
}
export type HomeSort = CommonSort | Sorted<"data.headline">;
export type HomeInclude1 = "posts";
export type HomeInclude2 = "posts" | `posts.${PostsInclude1}`;
export type HomeInclude = "posts" | `posts.${PostsInclude2}`;

/** The fields of an entry of "pages". _I holds the paths that are included, _T the form of rich texts. */
export interface PagesData<_I extends string = never, _T extends TextForm = "text"> {
  intro?: string;
}
/** An entry of "pages". */
export interface PagesEntry<I extends string = never, T extends TextForm = "text"> extends CommonKeys {
  parent: ID | null;
  position: number;
  data: PagesData<I, T>;
}
/** An entry of "pages" where another one includes it. */
export interface PagesRelated<I extends string = never, T extends TextForm = "text"> extends RelatedKeys {
  model: "pages";
  data: PagesData<I, T>;
}
/** What a write to "pages" takes. */
export interface PagesWrite extends CommonWrite {
  parent?: ID | null;
  position?: number | null;
  data?: {
    intro?: string | null;
  } | null;
}
export interface PagesFilter extends CommonFilter {
  parent?: WhereText;
  position?: Where<number>;
  ancestor?: ID;
  "data.intro"?: WhereText;
}
export type PagesSort = CommonSort | "tree" | Sorted<"parent" | "position" | "data.intro">;
export type PagesInclude1 = never;
export type PagesInclude2 = never;
export type PagesInclude = never;

/** The fields of an entry of "posts". I holds the paths that are included, T the form of rich texts. */
export interface PostsData<I extends string = never, T extends TextForm = "text"> {
  /** Markdown. Ends * / no comment. */
  body?: Texts<T>;
  intro?: string;
  kind?: "news" | "a \"quoted\" one";
  tags?: ("go" | "cms")[];
  /** the same in all translations */
  price?: number;
  featured?: boolean;
  day?: ISODate;
  at?: ISODateTime;
  link?: string;
  extra?: JSONValue;
  cover?: Resolved<I, "cover", IncludedMedia | null, ID>;
  gallery?: Resolved<I, "gallery", IncludedMedia, ID>[];
  author?: Resolved<I, "author", AuthorsRelated<Below<I, "author">, T> | null, ID>;
  related?: Resolved<I, "related", PostsRelated<Below<I, "related">, T>, ID>[];
  see?: Resolved<I, "see", PostsRelated<Below<I, "see">, T> | AuthorsRelated<Below<I, "see">, T> | null, { model: "posts" | "authors"; id: ID }>;
  place?: {
    city?: string;
    map?: Resolved<Below<I, "place">, "map", IncludedMedia | null, ID>;
  };
  steps?: {
    text?: string;
    photo?: Resolved<Below<I, "steps">, "photo", IncludedMedia | null, ID>;
  }[];
  story?: Texts<T,
    | {
        type: "call";
        label?: string;
        to?: Resolved<Below<I, "story">, "to", AuthorsRelated<Below<Below<I, "story">, "to">, T> | null, ID>;
      }
  >;
  sections?: (
    | {
        type: "quote";
        text?: string;
        by?: Resolved<Below<I, "sections">, "by", AuthorsRelated<Below<Below<I, "sections">, "by">, T> | null, ID>;
      }
    | {
        type: "image";
        file?: Resolved<Below<I, "sections">, "file", IncludedMedia | null, ID>;
        width?: number;
      }
  )[];
}
/** An entry of "posts". */
export interface PostsEntry<I extends string = never, T extends TextForm = "text"> extends CommonKeys {
  data: PostsData<I, T>;
}
/** An entry of "posts" where another one includes it. */
export interface PostsRelated<I extends string = never, T extends TextForm = "text"> extends RelatedKeys {
  model: "posts";
  data: PostsData<I, T>;
}
/** What a write to "posts" takes. */
export interface PostsWrite extends CommonWrite {
  data?: {
    /** Markdown. Ends * / no comment. */
    body?: string | null;
    intro?: string | null;
    kind?: "news" | "a \"quoted\" one" | null;
    tags?: ("go" | "cms")[] | null;
    /** the same in all translations */
    price?: number | null;
    featured?: boolean | null;
    day?: ISODate | null;
    at?: ISODateTime | null;
    link?: string | null;
    extra?: JSONValue | null;
    cover?: ID | null;
    gallery?: ID[] | null;
    author?: ID | null;
    related?: ID[] | null;
    see?: { model: "posts" | "authors"; id: ID } | null;
    place?: {
      city?: string | null;
      map?: ID | null;
    } | null;
    steps?: {
      text?: string | null;
      photo?: ID | null;
    }[] | null;
    story?: string | null;
    sections?: (
      | {
          type: "quote";
          text?: string | null;
          by?: ID | null;
        }
      | {
          type: "image";
          file?: ID | null;
          width?: number | null;
        }
    )[] | null;
  } | null;
}
export interface PostsFilter extends CommonFilter {
  "data.body"?: WhereText;
  "data.intro"?: WhereText;
  "data.kind"?: WhereText<"news" | "a \"quoted\" one">;
  "data.tags"?: WhereText<"go" | "cms">;
  "data.price"?: Where<number>;
  "data.featured"?: Where<boolean>;
  "data.day"?: WhereTime;
  "data.at"?: WhereTime;
  "data.link"?: WhereText;
  "data.extra"?: WhereText | Where<number | boolean>;
  [path: `data.extra.${string}`]: WhereText | Where<number | boolean> | undefined;
  "data.cover"?: WhereText;
  "data.gallery"?: WhereText;
  "data.author"?: WhereText;
  "data.related"?: WhereText;
  "data.see"?: WhereText;
  "data.place"?: WhereObject;
  "data.place.city"?: WhereText;
  "data.place.map"?: WhereText;
  "data.steps"?: WhereObject;
  "data.steps.text"?: WhereText;
  "data.steps.photo"?: WhereText;
  "data.story"?: WhereText;
  "data.sections"?: WhereObject;
  "data.sections.type"?: WhereText<"quote" | "image">;
  "data.sections.text"?: WhereText;
  "data.sections.by"?: WhereText;
  "data.sections.file"?: WhereText;
  "data.sections.width"?: Where<number>;
}
export type PostsSort = CommonSort | Sorted<"data.body" | "data.intro" | "data.kind" | "data.price" | "data.featured" | "data.day" | "data.at" | "data.link" | "data.cover" | "data.author" | "data.see" | "data.place.city" | "data.place.map" | "data.story">;
export type PostsInclude1 = "author" | "cover" | "gallery" | "related" | "see";
export type PostsInclude2 = "author" | "cover" | "gallery" | "place.map" | "related" | "sections.by" | "sections.file" | "see" | "steps.photo" | "story.to" | `author.${AuthorsInclude1}` | `related.${PostsInclude1}` | `see.${AuthorsInclude1}` | `see.${PostsInclude1}`;
export type PostsInclude = "author" | "cover" | "gallery" | "place.map" | "related" | "sections.by" | "sections.file" | "see" | "steps.photo" | "story.to" | `author.${AuthorsInclude2}` | `related.${PostsInclude2}` | `sections.by.${AuthorsInclude1}` | `see.${AuthorsInclude2}` | `see.${PostsInclude2}` | `story.to.${AuthorsInclude1}`;

/** The entries of every model by its slug. */
export interface Entries<I extends string = never, T extends TextForm = "text"> {
  "authors": AuthorsEntry<I, T>;
  "blog-1": Blog1Entry<I, T>;
  "blog1": Blog1_2Entry<I, T>;
  "home": HomeEntry<I, T>;
  "pages": PagesEntry<I, T>;
  "posts": PostsEntry<I, T>;
}
/** What queries and writes of every model take, by its slug. */
export interface Models {
  "authors": {
    kind: "collection";
    include: AuthorsInclude;
    filter: AuthorsFilter;
    sort: AuthorsSort;
    write: AuthorsWrite;
  };
  "blog-1": {
    kind: "collection";
    include: Blog1Include;
    filter: Blog1Filter;
    sort: Blog1Sort;
    write: Blog1Write;
  };
  "blog1": {
    kind: "collection";
    include: Blog1_2Include;
    filter: Blog1_2Filter;
    sort: Blog1_2Sort;
    write: Blog1_2Write;
  };
  "home": {
    kind: "single";
    include: HomeInclude;
    filter: HomeFilter;
    sort: HomeSort;
    write: HomeWrite;
  };
  "pages": {
    kind: "collection";
    include: PagesInclude;
    filter: PagesFilter;
    sort: PagesSort;
    write: PagesWrite;
  };
  "posts": {
    kind: "collection";
    include: PostsInclude;
    filter: PostsFilter;
    sort: PostsSort;
    write: PostsWrite;
  };
}

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
