export { endDraft as GET } from "headless-next";
