import type { NextRequest, NextResponse } from "next/server";

/** Answers redirects and paths that are gone, and leaves the rest to the pages. */
export function proxy(request: NextRequest): Promise<NextResponse>;
