/** What a catch-all route answers at a path. */
export type Page<T = any> =
  | ({ status: 404 | 410; to?: undefined; entry?: undefined } & Previewed)
  | ({ status: 301 | 302 | 307 | 308; to: string; entry?: undefined } & Previewed)
  | ({
      status: 200;
      to?: undefined;
      entry: T;
      model: string;
      locale: string;
      url: string;
      /** The entry in each locale, this one included. */
      alternates: { locale: string; url: string }[];
      /** The entries above, in a model with a tree. */
      breadcrumbs?: { id: string; title: string; url: string | null }[];
    } & Previewed);

/** Whether a preview token shows the page, and what a preview of the site shows. */
interface Previewed {
  previewed?: boolean;
  preview?: { at?: string; release?: string; drafts?: boolean; changes: number };
}

/** An item of a menu. */
export interface MenuItem {
  id: string;
  label: string;
  url: string | null;
  target?: "_blank";
  rel?: string;
  children: MenuItem[];
}

/** An answer of the API. */
export interface Answer<T> {
  data: T;
  meta: { [name: string]: unknown };
  /** Whether a preview token shows it. */
  previewed?: boolean;
}

/** Says which preview a page shows. */
export function describe(page?: Page): string;
