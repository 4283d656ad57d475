export { startDraft as GET } from "headless-next";
