// Uses the types that openapi-typescript makes of both documents.
import type { components as General, paths } from "./general.js";
import type { components as Live } from "./live.js";

type Post = Live["schemas"]["PostsEntry"];
type Answer = paths["/{model}/{idOrSlug}"]["get"]["responses"][200]["content"]["application/json"];

export function isNews(post: Post): boolean {
  return post.data?.kind === "news";
}
export function title(answer: Answer): General["schemas"]["Entry"]["title"] {
  return answer.data.title;
}
// @ts-expect-error the model has no such option
export const wrongKind: NonNullable<Post["data"]>["kind"] = "nothing";
// @ts-expect-error the model has no such field
export const wrongField: NonNullable<Post["data"]>["nothing"] = 1;
