import Link from "next/link";
import { notFound, redirect } from "next/navigation";
import { preview } from "headless-next";
import { plain } from "headless-next/plain";

import { find, listPaths, readMenu } from "../content.js";

export async function generateStaticParams() {
  return (await listPaths()).map((path) => ({ path }));
}

// proxy.js answers redirects before, with their status.
export default async function Page({ params }) {
  const { path = [] } = await params;
  const previewed = await preview();
  const page = await find(`/${path.join("/")}`, previewed);
  if (page.to) redirect(page.to);
  if (!page.entry) notFound();
  const { entry, locale, alternates, breadcrumbs = [] } = page;
  const menu = await readMenu(locale, previewed);
  return (
    <div lang={locale}>
      <title>{plain(entry.title)}</title>
      <nav aria-label="Main"><Menu items={menu.data} /></nav>
      <nav aria-label="Breadcrumbs">{breadcrumbs.map(({ id, title, url }) => <Link key={id} href={url}>{title}</Link>)}</nav>
      <main>
        <h1>{entry.title}</h1>
        {entry.data.body && (
          <div data-cms={page.previewed ? `${page.model}/${entry.id}#data.body` : undefined} dangerouslySetInnerHTML={{ __html: entry.data.body }} />
        )}
      </main>
      <nav aria-label="Languages">
        {alternates.map(({ locale: code, url }) => (
          <Link key={code} href={url} hrefLang={code} aria-current={code === locale ? "true" : undefined}>{code}</Link>
        ))}
      </nav>
    </div>
  );
}

function Menu({ items }) {
  return (
    <ul>
      {items.map(({ id, label, url, target, rel, children }) => (
        <li key={id}>
          {url ? <Link href={url} target={target} rel={rel}>{label}</Link> : label}
          {children.length > 0 && <Menu items={children} />}
        </li>
      ))}
    </ul>
  );
}
