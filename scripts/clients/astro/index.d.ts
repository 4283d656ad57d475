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
}

/** Loads a model, or the media files with the model "media", into a collection. */
export function cmsLoader(options: CmsOptions): Loader;
