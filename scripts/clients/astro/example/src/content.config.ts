import { defineCollection } from "astro:content";
import { cmsLoader } from "headless-astro";

const access = {
  url: process.env.CMS_URL ?? "http://localhost:3000",
  publicKey: process.env.CMS_PUBLIC_KEY ?? "",
};

export const collections = {
  posts: defineCollection({ loader: cmsLoader({ ...access, model: "posts", body: "body" }) }),
  media: defineCollection({ loader: cmsLoader({ ...access, model: "media" }) }),
};
