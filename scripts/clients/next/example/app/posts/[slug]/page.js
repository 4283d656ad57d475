import { notFound } from "next/navigation";
import { preview } from "headless-next";

import { findDraft, findPost, listPosts } from "../../content.js";

export async function generateStaticParams() {
  return (await listPosts()).map((post) => ({ slug: post.slug }));
}

export default async function Page({ params }) {
  const { slug } = await params;
  const previewed = await preview();
  const post = previewed?.model === "posts" ? await findDraft(previewed) : await findPost(slug);
  if (!post) notFound();
  return (
    <article>
      <h1>{post.title}</h1>
      <div dangerouslySetInnerHTML={{ __html: post.data.body }} />
    </article>
  );
}
