// Redirects and pages that are gone, whose status a page of Next.js cannot set.
import { NextResponse } from "next/server";

import { resolve } from "./lib/cms.js";

export async function proxy(request) {
  const found = await resolve(request.nextUrl.pathname, { fields: "id" });
  if (found?.meta.kind === "redirect") {
    const { to, status } = found.meta.redirect;
    return NextResponse.redirect(new URL(to, request.url), status);
  }
  if (found?.meta.kind === "gone") return new NextResponse("This page is gone.", { status: 410 });
  return NextResponse.next();
}

export const config = { matcher: "/((?!_next/|favicon.ico).*)" };
