import Link from "next/link";

import { listPosts } from "./content.js";

export default async function Home() {
  const posts = await listPosts();
  return (
    <ul>
      {posts.map((post) => <li key={post.id}><Link href={`/posts/${post.slug}`}>{post.title}</Link></li>)}
    </ul>
  );
}
