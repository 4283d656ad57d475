import type { Loader } from "astro/loaders";

export interface CmsOptions {
  /** Root address of the service, such as https://cms.example.com. */
  url: string;
  /** A publishable key, pub_…. */
  publicKey: string;
  /** Slug of the model; "media" for the media files. */
  model: string;
  /** Only entries of this locale; all locales without it. */
  locale?: string;
  /** Name of the richtext field that render() shows. */
  body?: string;
  /** With the model "media": widths in pixels for the srcset of pictures. */
  images?: readonly number[];
}

/** A media file, an entry of a collection with the model "media". */
export interface CmsFile {
  id: string;
  name: string;
  url: string;
  mime: string;
  /** In bytes. */
  size: number;
  /** Of what url shows, in pixels; null where there is none. */
  width: number | null;
  height: number | null;
  alt: string;
  caption: string;
  /** Name of the folder, "" for none. */
  folder: string;
  created_at: string;
  /** Only with the option images; "" where a file has no variants. */
  srcset?: string;
  focal: { x: number; y: number } | null;
  /** A BlurHash. */
  placeholder: string | null;
  /** The picture needs no alternative text. */
  decorative: boolean;
  tags: string[];
  /** Alternative texts by locale; left out where there is none. */
  alts?: Record<string, string>;
  /** The part of the picture that url shows, in fractions of the whole; left out where it shows the whole. */
  crop?: { x: number; y: number; width: number; height: number };
}

/** Loads a model, or the media files with the model "media", into a collection. */
export function cmsLoader(options: CmsOptions): Loader;
