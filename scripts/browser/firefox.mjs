// Drives the admin area in Firefox by WebDriver BiDi. TestFirefox runs it with a site, and checks what is saved.
// Each flaw is a line of the output.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { tools, firefox, url, at, email, password, pages } = JSON.parse(process.env.FIREFOX_TEST);
const { default: puppeteer } = await import(createRequire(`${tools}/firefox/`).resolve("puppeteer-core"));
const axe = readFileSync(`${tools}/axe/node_modules/axe-core/axe.min.js`, "utf8");
const audit = readFileSync(new URL("audit.js", import.meta.url), "utf8");

const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, timeout: 60_000 });
const page = await browser.newPage();
await page.setViewport({ width: 1280, height: 900 });
page.setDefaultTimeout(60_000);
await page.evaluateOnNewDocument(() => addEventListener("securitypolicyviolation", (e) => console.error(e.violatedDirective, e.blockedURI)));
const flaw = (text) => console.log(`${new URL(page.url()).pathname}: ${text}`);
page.on("console", (message) => ["error", "warn"].includes(message.type()) && flaw(message.text()));
page.on("pageerror", (error) => flaw(error.stack ?? error.message));
page.on("requestfailed", (request) => {
  const why = request.failure()?.errorText;
  if (why !== "NS_BINDING_ABORTED") flaw(`${request.url()} failed: ${why}`); // a page that was left
});
page.on("response", (response) => response.status() >= 400 && flaw(`${response.url()} answers ${response.status()}`));

const open = (path) => page.goto(`${url}/admin${path}`);
const press = (text) => page.locator(`::-p-xpath(//main//*[self::button or self::summary][normalize-space()="${text}"])`).click();
const field = (name) => `main [name="${name}"]`;
const holds = (name, value) => page.waitForFunction((selector, value) => document.querySelector(selector)?.value === value, {}, field(name), value);
const chord = async (...keys) => {
  for (const key of keys) await page.keyboard.down(key);
  for (const key of keys.reverse()) await page.keyboard.up(key);
};

await open("/login");
await page.type("main [name=email]", email);
await page.type("main [name=password]", password);
await page.keyboard.press("Enter");
await page.waitForSelector(".side");

for (const path of pages) {
  await open(path);
  await page.evaluate(axe);
  for (const found of await page.evaluate(`${audit}()`)) flaw(found);
}

// A text is saved while one writes.
await open(at);
await page.locator(field("data.teaser")).fill("Written in Firefox");

// A long text is edited with signs, keys and undo.
const body = `[name="data.body"]`;
await page.$eval(body, (e) => e.scrollIntoView({ block: "center" }));
await page.waitForFunction((body) => document.querySelector(body).hidden, {}, body);
const editor = await page.evaluateHandle((body) => document.querySelector(body).parentElement.querySelector("[data-editor]").shadowRoot.querySelector(".cm-content"), body);
await editor.click();
await chord("Control", "a");
await page.keyboard.type("Oil dries");
await chord("Control", "Shift", "ArrowLeft");
await chord("Control", "b");
await holds("data.body", "Oil **dries**");
await chord("Control", "z");
await holds("data.body", "Oil dries");
await chord("Control", "b");
await holds("data.body", "Oil **dries**");

// Blocks are added and moved.
for (const [i, text] of ["first", "second"].entries()) {
  await press("Add quote");
  await page.locator(field(`data.parts.${i}.text`)).fill(text);
}
await page.locator(`#f-data\\.parts\\.1 > .steps-of > [value="up data.parts.1"]`).click();
await holds("data.parts.0.text", "second");
await page.waitForFunction(async (draft) => {
  const answer = await fetch(draft, { headers: { Accept: "application/json" } });
  return (await answer.json()).data.data.parts?.[1]?.text === "first";
}, { polling: 200 }, `/admin${at}/draft/edit`);
await browser.close();
