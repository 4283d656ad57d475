import { webhook } from "headless-next";

export const POST = webhook({ secret: process.env.CMS_WEBHOOK_SECRET });
