// Reads the pages of this site. cms.ts is made of the models by npm run types.
import { Client } from "./cms";
import { publicKey, url } from "./env";
import { shown } from "./pages";

/** A client of the service. With the token of a preview link it reads drafts, and what is published once the link has ended. */
export function connect(preview = ""): Client {
  if (!publicKey) throw new Error("Set CMS_PUBLIC_KEY in .env: cms keys create site --kind publishable");
  return new Client({ url, publicKey, preview, source: "stega" });
}

/** What is at a path of the site: an entry, a redirect, something that is gone, or null. */
export const findPage = (path: string, preview = "") => connect(preview).resolve(path, shown);

/** The page of an entry. Its model tells which fields the entry has. */
export type PageEntry = Extract<Awaited<ReturnType<typeof findPage>>, { kind: "entry" }>;

/** Where a field of a page is edited, for data-cms: a click on it in a preview opens the field. Undefined where nothing is previewed. */
export const place = ({ previewed, model, entry }: PageEntry, field: string) => (previewed ? `${model}/${entry.id}#${field}` : undefined);

/** Where a redirect leads. On this site, a preview goes on there. */
export function follow(to: string, preview: string): string {
  return preview && /^\/(?!\/)[^?#]*$/.test(to) ? `${to}?preview=${encodeURIComponent(preview)}` : to;
}
