import { defineCollection } from "astro:content";
import { cmsLoader } from "headless-astro";
import { access } from "./access";

export const collections = {
  posts: defineCollection({ loader: cmsLoader({ ...access, model: "posts", body: "body" }) }),
  media: defineCollection({ loader: cmsLoader({ ...access, model: "media", images: [400, 800] }) }),
};
