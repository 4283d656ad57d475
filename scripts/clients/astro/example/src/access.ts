export const access = {
  url: process.env.CMS_URL ?? "http://localhost:3000",
  publicKey: process.env.CMS_PUBLIC_KEY ?? "",
};
