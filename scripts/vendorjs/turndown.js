// What makes Markdown of rich text that is pasted; it is loaded only then.
export { default as TurndownService } from "turndown";
export { gfm } from "@joplin/turndown-plugin-gfm";
