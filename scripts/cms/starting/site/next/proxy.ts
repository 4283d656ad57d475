// Redirects and pages that are gone, whose status a page of Next.js cannot set.
import { NextResponse, type NextRequest } from "next/server";

import { connect, follow } from "./lib/site";

export async function proxy(request: NextRequest) {
  const { pathname, searchParams } = request.nextUrl;
  const preview = searchParams.get("preview") ?? "";
  const found = await connect(preview).resolve(pathname, { fields: ["id"] });
  if (found?.kind === "redirect") return NextResponse.redirect(new URL(follow(found.to, preview), request.url), found.status);
  if (found?.kind === "gone") return new NextResponse("This page is gone.", { status: 410 });
  return NextResponse.next();
}

export const config = { matcher: "/((?!_next/|favicon.ico).*)" };
