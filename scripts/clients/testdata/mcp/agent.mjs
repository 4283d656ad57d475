// Connects to the service of CMS_URL with the TypeScript client of the Model Context Protocol, in the
// name of a user who allows it, and reads the entry of ENTRY. It prints the page that asks the user,
// and reads the address to which this leads.
import { once } from "node:events";
import { createInterface } from "node:readline";

import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { CMS_URL, ENTRY, REDIRECT } = process.env;
const kept = {};
const authProvider = {
  redirectUrl: REDIRECT,
  clientMetadata: { client_name: "TypeScript agent", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  redirectToAuthorization: (url) => console.log(String(url)),
};
const open = () => new StreamableHTTPClientTransport(new URL(`${CMS_URL}/mcp`), { authProvider });
const client = new Client({ name: "typescript-agent", version: "1" });
const asked = open();
try {
  await client.connect(asked);
  throw new Error("It connects before the user has allowed it.");
} catch (error) {
  if (!(error instanceof UnauthorizedError)) throw error;
}
const lines = createInterface({ input: process.stdin });
const [line] = await once(lines, "line");
lines.close();
await asked.finishAuth(new URL(line).searchParams.get("code"));
await client.connect(open());
for (const { name } of (await client.listTools()).tools) console.log("tool", name);
const { content, isError } = await client.callTool({ name: "get_entry", arguments: { model: "posts", id: ENTRY } });
for (const { text } of isError ? [] : content) console.log("text", text);
await client.close();
