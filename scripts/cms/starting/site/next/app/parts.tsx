import type { IncludedMedia } from "../lib/cms";

/** Shows a picture with its variants. A click on it in a preview changes the field at place. */
export function Picture({ file, place }: { file: IncludedMedia | null | undefined; place?: string }) {
  return file ? (
    <img
      src={file.url}
      srcSet={file.srcset}
      sizes="(min-width: 50rem) 50rem, 100vw"
      width={file.width ?? undefined}
      height={file.height ?? undefined}
      alt={file.alt}
      style={{ maxWidth: "100%", height: "auto" }}
      data-cms={place}
    />
  ) : null;
}

/** Shows the HTML of a text, which the service has sanitised. A click on it in a preview opens the field at place. */
export function Html({ text, place }: { text: string | undefined; place?: string }) {
  return text ? <div data-cms={place} dangerouslySetInnerHTML={{ __html: text }} /> : null;
}
