import { notFound } from "next/navigation";

import { list, resolve } from "../../lib/cms.js";

export const dynamic = "force-dynamic";

// proxy.js answers redirects and pages that are gone.
async function find(params) {
  const { path = [] } = await params;
  const found = await resolve(`/${path.join("/")}`);
  if (found?.meta.kind !== "entry") notFound();
  return { entry: found.data, isHome: path.length === 0 };
}

export async function generateMetadata({ params }) {
  const { entry } = await find(params);
  return { title: entry.seo.title || entry.title, description: entry.seo.description || entry.data.teaser };
}

export default async function Page({ params }) {
  const { entry, isHome } = await find(params);
  const posts = isHome ? await list("posts") : [];
  return (
    <main>
      <h1>{entry.title}</h1>
      <Html text={entry.data.body} />
      {(entry.data.blocks ?? []).map((block, i) => (
        <section key={i} className={block.type}>
          {block.heading && <h2>{block.heading}</h2>}
          <Html text={block.body} />
          {block.text && <p>{block.text}</p>}
          {block.by && <p>{block.by}</p>}
        </section>
      ))}
      {posts.length > 0 && (
        <ul>{posts.map((post) => <li key={post.id}><a href={post.url}>{post.title}</a></li>)}</ul>
      )}
    </main>
  );
}

// The service sanitises the HTML of texts.
function Html({ text }) {
  return text ? <div dangerouslySetInnerHTML={{ __html: text }} /> : null;
}
