import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { plain } from "../../lib/cms";
import { url } from "../../lib/env";
import { describe } from "../../lib/pages";
import { findPage } from "../../lib/site";
import { Entry } from "../entry";

export const dynamic = "force-dynamic";

interface Props {
  params: Promise<{ path?: string[] }>;
  searchParams: Promise<{ preview?: string | string[] }>;
}

// proxy.ts answers redirects and pages that are gone.
async function find({ params, searchParams }: Props) {
  const path = `/${((await params).path ?? []).join("/")}`;
  const preview = String((await searchParams).preview ?? "");
  const page = await findPage(path, preview);
  if (page?.kind !== "entry") notFound();
  return { path, preview, page };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { preview, page } = await find(props);
  return {
    title: plain(page.entry.seo.title || page.entry.title),
    description: plain(describe(page) ?? "") || null,
    ...(preview ? { robots: "noindex", referrer: "same-origin" } : {}),
  };
}

export default async function Page(props: Props) {
  const { path, preview, page } = await find(props);
  return (
    <>
      {preview && (
        <p role="status">
          {page.previewed ? "This is a preview." : "This preview link has ended. You see what is published."} <a href={path}>Leave</a>
        </p>
      )}
      <main lang={page.locale}>
        <h1>{page.entry.title}</h1>
        <Entry page={page} />
      </main>
      {page.previewed && <script src={`${url}/assets/preview.js`} defer />}
    </>
  );
}
