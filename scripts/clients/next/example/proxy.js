export { proxy } from "headless-next/proxy";

export const config = { matcher: "/((?!_next/|api/|favicon.ico).*)" };
