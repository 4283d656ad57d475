// The service, and the key of this site: both stand in .env.
export const url: string = import.meta.env.CMS_URL ?? "http://localhost:3000";
export const publicKey: string | undefined = import.meta.env.CMS_PUBLIC_KEY;
