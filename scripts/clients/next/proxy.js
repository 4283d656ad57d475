// Redirects and 410s, whose status a page of Next.js cannot set.

import { NextResponse } from "next/server";

import { cookieName, request } from "./api.js";
import { pageAt } from "./service.js";

const keepMillis = 10_000;
const maxKept = 1_000;
const kept = new Map(); // pages by path, and until when

async function look(path) {
  const was = kept.get(path);
  if (was?.until > Date.now()) return was.page;
  const page = await pageAt(request, path, { fields: "id" });
  if (kept.size >= maxKept) kept.clear();
  kept.set(path, { page, until: Date.now() + keepMillis });
  return page;
}

/** Answers redirects and paths that are gone, and leaves the rest to the pages, also while the service does not answer. */
export async function proxy(incoming) {
  const { pathname } = incoming.nextUrl;
  const previewed = incoming.cookies.get(cookieName)?.value;
  try {
    const page = previewed
      ? await pageAt((path) => request(path, JSON.parse(previewed)), pathname, { fields: "id" })
      : await look(pathname);
    if (page.to) return NextResponse.redirect(new URL(page.to, incoming.url), page.status);
    if (page.status === 410) return new NextResponse("This page is gone.", { status: 410 });
  } catch (error) {
    console.warn(error);
  }
  return NextResponse.next();
}
