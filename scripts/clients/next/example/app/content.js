import { findPage, read } from "headless-next";

const shown = { richtext: "html" };

export async function listPaths() {
  "use cache";
  const { data } = await read("/posts?urls=true&fields=id,url&per_page=100");
  return data.map(({ url }) => new URL(url, "http://site").pathname.split("/").filter(Boolean));
}

/** The page at a path. No cache keeps a preview. */
export const find = (path, previewed) => (previewed ? findPage(path, shown, previewed) : findPublished(path));

async function findPublished(path) {
  "use cache";
  return findPage(path, shown);
}

export const readMenu = (locale, previewed) => (previewed ? read(menuPath(locale), previewed) : readPublished(locale));

async function readPublished(locale) {
  "use cache";
  return read(menuPath(locale));
}

const menuPath = (locale) => `/menus/main?locale=${locale}&fallback=true`;
