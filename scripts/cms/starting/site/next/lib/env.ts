// The service, and the key of this site: both stand in .env.
export const url = process.env.CMS_URL ?? "http://localhost:3000";
export const publicKey = process.env.CMS_PUBLIC_KEY;
