import { shown } from "../lib/pages";
import { connect, place, type PageEntry } from "../lib/site";
import { Html, Picture } from "./parts";

/** What is below the title of an entry. */
export async function Entry({ page }: { page: PageEntry }) {
  const isHome = page.model === "pages" && page.entry.slug === "home";
  const posts = isHome ? (await connect().list("posts", { ...shown, sort: "-published_at", urls: true })).data : [];
  return (
    <>
      {page.model === "posts" && (
        <>
          <p>{page.entry.data.teaser}</p>
          <Picture file={page.entry.data.cover} place={place(page, "data.cover")} />
        </>
      )}
      <Html text={page.entry.data.body} place={place(page, "data.body")} />
      {posts.length > 0 && (
        <ul>
          {posts.map((post) => (
            <li key={post.id}>
              <a href={post.url ?? undefined}>{post.title}</a>
              <Picture file={post.data.cover} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
