import { place, type PageEntry } from "../lib/site";
import { Html, Picture } from "./parts";

/** What is below the title of an entry: its sections, by their type. */
export function Entry({ page }: { page: PageEntry }) {
  return page.entry.data.blocks?.map((block, i) => (
    <section key={i} data-cms={place(page, `data.blocks.${i}`)}>
      {block.type === "hero" && (
        <>
          <h2>{block.heading}</h2>
          <p>{block.text}</p>
          <Picture file={block.picture} place={place(page, `data.blocks.${i}.picture`)} />
        </>
      )}
      {block.type === "copy" && <Html text={block.body} place={place(page, `data.blocks.${i}.body`)} />}
      {block.type === "quote" && (
        <blockquote>
          {block.text} <cite>{block.by}</cite>
        </blockquote>
      )}
    </section>
  ));
}
