import type { ReactNode } from "react";

/** In previews: a bar that names the preview, and click-to-edit. leave is the route of endDraft, by default /api/draft/end. */
export function Preview(props: { leave?: string }): Promise<ReactNode>;
