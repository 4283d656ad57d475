import type { NextRequest, NextResponse } from "next/server";

/** Answers redirects and what is gone, and leaves the rest to the pages. */
export function proxy(request: NextRequest): Promise<NextResponse>;
