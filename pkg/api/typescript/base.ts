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
