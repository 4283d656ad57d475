// What forms do better with a script. Without one, each of these buttons sends its form, and the page comes back changed.
"use strict";

// language is that of the page, for dates and numbers; hours and digits are as in the texts of the service.
const language = document.documentElement.lang === "en" ? "en-GB" : `${document.documentElement.lang}-u-hc-h23-nu-latn`;

// onward is the arrow key that goes on in a line of text, and backward the other one.
const [onward, backward] = document.dir === "rtl" ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];

// load gives a module of the pages, null where it cannot be fetched. What only a gesture needs comes so; without it, the gesture does what it does
// without a script.
const address = new URL(document.currentScript.src);
const load = (name) => import(new URL(`${name}.js${address.search}`, address)).catch(() => null);

// t fills the placeholders of a text of the page, tn those of the plural form for a number. The service puts the texts of the language of
// the page in the place of English ones.
const t = (text, ...args) => text.replace(/\{(\d)\}/g, (_, i) => (document.dir === "rtl" ? `\u2068${args[i - 1]}\u2069` : args[i - 1]));
const tn = (n, one, other, ...args) => t(one.other ? (one[new Intl.PluralRules(language).select(n)] ?? one.other) : n === 1 ? one : other, n.toLocaleString(language), ...args);

const make = (tag, properties, ...children) => {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children);
  return e;
};

// The address of a small variant of a picture.
const thumbnail = (address) => `${address}${address.includes("?") ? "&" : "?"}w=128&h=96&fit=cover`;

// Instants are picked in the time zone of the browser.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function localise(root) {
  for (const shown of root.querySelectorAll("input[type=datetime-local][name]")) {
    const kept = make("input", { type: "hidden", name: shown.name, value: shown.value });
    shown.removeAttribute("name");
    shown.after(kept);
    showInstant(kept);
    shown.addEventListener("input", () => {
      kept.value = shown.value ? new Date(shown.value).toISOString().replace(/\.\d+Z$/, "Z") : "";
    });
    const note = shown.parentElement.querySelector(".zone span");
    if (note) note.textContent = zone;
  }
}

// showInstant puts the instant of a hidden input into the input before it, as a local time.
function showInstant(kept) {
  const at = new Date(kept.value && !kept.value.endsWith("Z") ? kept.value + "Z" : kept.value);
  const two = (n) => String(n).padStart(2, "0");
  kept.previousElementSibling.value = isNaN(at) ? "" : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
localise(document);

// Enter in a text of one line that grows sends its form, as in other fields of one line.
document.addEventListener("beforeinput", (event) => {
  if (event.inputType !== "insertLineBreak" || !event.target.matches("textarea.line")) return;
  event.preventDefault();
  [...event.target.form.elements].find((e) => e.type === "submit")?.click();
});

// bodyOf encodes the data of a form as the form does, so that long texts stay short.
const bodyOf = (form, button, data = new FormData(form, button)) => (form.enctype === "multipart/form-data" ? data : new URLSearchParams(data));

// renewed returns the token of a new session where an answer says that the session has ended, or was followed by another one; null if nothing is to be
// sent again. A quiet request opens no dialog for it.
const renewed = async (status, token, quiet) => (status === 401 || token ? ((await load("signin"))?.signIn(token, quiet) ?? null) : null);

// ask gets an answer of the service, null without a connection. Where the session has ended, it asks to sign in and sends the request again.
async function ask(to, options, quiet) {
  const answer = await fetch(to, options).catch(() => null);
  if (!answer) return null;
  const isOver = answer.redirected && new URL(answer.url).pathname === "/admin/login";
  const token = await renewed(isOver ? 401 : answer.status, answer.headers.get("X-CSRF-Token"), quiet);
  if (!token) return isOver || answer.headers.has("X-CSRF-Token") ? Response.json({ error: { message: t("The session has ended") } }, { status: 401 }) : answer;
  options.body?.set?.("_csrf", token);
  if (options.headers["X-CSRF-Token"]) options.headers["X-CSRF-Token"] = token;
  return ask(to, options, quiet);
}

// askPage and askJSON send a body by POST.
const [askPage, askJSON] = ["text/html", "application/json"].map((Accept) => (to, body, quiet) => ask(to, { method: body ? "POST" : "GET", body, headers: { Accept } }, quiet));

// sendJSON sends data in the name of the person who is signed in.
const sendJSON = (method, to, data, { quiet, ...options } = {}) => {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRF-Token": document.querySelector("[name=_csrf]").value };
  return ask(to, { method, headers, body: JSON.stringify(data), ...options }, quiet);
};

// checkSession asks to sign in before a form leaves the page if its session does not stand, and answers 401 if nobody did.
const checkSession = () => sendJSON("GET", "/admin/me");

// pageOf parses the page of an answer, pageAt that of an answer without an error.
const pageOf = async (answer) => answer && new DOMParser().parseFromString(await answer.text(), "text/html");
const pageAt = async (to, body, quiet) => {
  const answer = await askPage(to, body, quiet);
  return answer?.ok ? pageOf(answer) : null;
};

// resultOf returns the JSON of an answer, and an error if there is none; messageOf joins the texts of an error.
const resultOf = async (answer) => (await answer?.json().catch(() => null)) ?? { error: { message: t("The service cannot be reached.") } };
const messageOf = ({ message, details }) => [message, ...Object.values(details ?? {}).flat()].join(" ");

// tell shows a message at the foot of the page, such as one with a button that undoes a step. Its place is there from the start, since readers
// of screens only tell what changes in it.
const told = document.body.appendChild(make("div", { className: "undo", role: "status" }));
const tell = (...children) => told.replaceChildren(...children);
const unconnected = t("No connection. What you typed is kept here.");

// announce tells a change to readers of screens. Its place is there from the start and never hidden.
const heard = make("span", { className: "hidden", role: "status" });
document.body.prepend(heard); // at the end, it would make the page longer
const announce = (text) => { heard.textContent = text; };

// While an input method composes a word, keys such as Enter and Escape are its own. The editor of texts knows that itself.
let composing;
for (const kind of ["compositionstart", "compositionend"]) addEventListener(kind, ({ type, target }) => { composing = type === "compositionstart" && target; });
addEventListener("keydown", (event) => (event.isComposing || event.keyCode === 229) && !event.target.matches?.(".cm-content") && event.stopImmediatePropagation(), true);

// A sign-in in another tab changes the token of all forms. Each page tells its token, and takes a newer one of the same person.
const me = document.querySelector("[data-me]")?.textContent;
const tokens = new BroadcastChannel("tokens");
const tellToken = (token) => tokens.postMessage([me, token]);
function takeToken(token) {
  for (const input of document.querySelectorAll("[name=_csrf]")) input.value = token;
  document.dispatchEvent(new Event("signed-in"));
}
tokens.onmessage = ({ data: [by, token] }) => by === me && token !== document.querySelector("[name=_csrf]").value && takeToken(token);
if (me) tellToken(document.querySelector("[name=_csrf]").value);

// stateOf notes what each input of a form holds, by name. Boxes are noted with their value.
const inputsOf = (form) => [...form.elements].filter((e) => e.name && !e.name.startsWith("_") && e.localName !== "button" && e.localName !== "fieldset" && e.type !== "file");
const keyOf = (e) => (e.type === "checkbox" || e.type === "radio" ? `${e.name} ${e.value}` : e.name);
const valueOf = (e) => (e.type === "checkbox" || e.type === "radio" ? e.checked : e.value);
const stateOf = (form) => new Map(inputsOf(form).filter((e) => e.type !== "hidden" || e.previousElementSibling?.type === "datetime-local").map((e) => [keyOf(e), valueOf(e)]));

// renamed is the name that an input has after a step moved, added or removed rows, null where it is gone.
function renamed(name, step) {
  const [verb, row, arg] = step.split(" ");
  if (verb === "put") return name.startsWith(`${row}.`) ? arg + name.slice(row.length) : renamed(renamed(name, `remove ${row}`), `insert ${arg}`);
  const at = row?.lastIndexOf(".");
  const list = row?.slice(0, at) + ".";
  const index = Number(row?.slice(at + 1));
  const own = Number.parseInt(name.slice(list.length), 10);
  if (at < 0 || isNaN(index) || isNaN(own) || !name.startsWith(list) || (arg && (verb === "up" || verb === "down"))) return name;
  const move = (to) => (own === index ? to : index < own && own <= to ? own - 1 : to <= own && own < index ? own + 1 : own);
  const next = {
    up: () => move(index - 1), down: () => move(index + 1), move: () => move(Number(arg)), insert: () => (own >= index ? own + 1 : own),
    copy: () => (own > index ? own + 1 : own), remove: () => (own === index ? null : own > index ? own - 1 : own),
  }[verb];
  const to = next ? next() : own;
  return to === null ? null : list + to + name.slice(list.length + String(own).length);
}

// rowIds are the ids of the rows of a form, by the names of the inputs that hold them.
const rowIds = (form) => new Map([...form.elements].filter((e) => e.name.endsWith("._id")).map((e) => [e.name, e.value]));

// sameRow is the name that an input has where the rows of its form, as they were, have the same ids in other places now.
function sameRow(was, now, name) {
  let from = "", to = "";
  for (const part of name.split(".")) {
    const list = to && `${to}.`;
    from = from ? `${from}.${part}` : part;
    const id = was.get(`${from}._id`);
    const row = id && [...now].find(([name, value]) => value === id && name.startsWith(list) && !name.slice(list.length, -4).includes("."));
    to = row ? row[0].slice(0, -4) : list + part;
  }
  return to;
}

// sameStep is a step for the same row as it is now, null if the row is not there.
function sameStep(was, now, step) {
  const [verb, row, ...rest] = step.split(" ");
  if (!row) return step;
  const to = sameRow(was, now, row);
  return was.get(`${row}._id`) === now.get(`${to}._id`) ? [verb, to, ...rest].join(" ") : null;
}

// become makes an element the same as its new version, around the inputs that stay. An input keeps its text.
function become(old, now, same) {
  for (const { name } of [...old.attributes]) if (name !== "value" && !now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) if (name !== "value" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  if ("defaultValue" in old) return;
  let at = old.firstChild;
  const clear = () => {
    while (at && !same.has(at)) [at] = [at.nextSibling, at.remove()];
  };
  for (const child of [...now.childNodes]) {
    const stays = same.get(child);
    clear();
    if (stays) become(stays, child, same);
    if (stays && stays === at) at = at.nextSibling;
    else old.insertBefore(stays ?? child, at);
  }
  clear();
}

// swapForm makes a form the one that answers a step. What was typed since the step was sent stays, and so does the input that has the focus. Inputs that
// hold the same stay where they are: browsers forget what they can undo in an input that is moved.
function swapForm(form, next, sent, step) {
  document.dispatchEvent(new Event("form-swapping"));
  const was = rowIds(form), rows = rowIds(next);
  const isStep = !/^(resume|keep|take)/.test(step);
  const nameIn = (name) => (isStep ? renamed(name, step) : sameRow(was, rows, name));
  const active = document.activeElement;
  const { selectionStart: start, selectionEnd: end } = active;
  for (const open of form.querySelectorAll("details[open]")) {
    const name = open.querySelector("[name]")?.name;
    next.querySelector(`[name="${CSS.escape(name)}"]`)?.closest("details")?.setAttribute("open", "");
  }
  localise(next);
  // A step leaves the base alone. A save that ended meanwhile has set a newer one.
  if (form.elements._base && isStep) next.elements._base.value = form.elements._base.value;
  const fresh = new Map([...next.elements].filter((e) => e.name).map((e) => [keyOf(e), e]));
  const same = new Map(); // what stays and its new version, both ways
  const stay = (old, now) => {
    const line = []; // the input and what it stands in
    for (; old !== form; [old, now] = [old.parentElement, now.parentElement]) {
      if (now === next || old.localName !== now.localName || same.get(now) !== (same.get(old) && old)) return;
      line.push([old, now], [now, old]);
    }
    if (now === next) for (const [a, b] of line) same.set(a, b);
  };
  for (const old of inputsOf(form)) {
    const key = keyOf(old);
    const name = nameIn(old.name);
    const now = name && fresh.get(key.replace(old.name, name));
    if (!now) continue;
    const typed = sent.has(key) && sent.get(key) !== valueOf(old);
    if (typed) {
      if (old.type === "checkbox" || old.type === "radio") now.checked = old.checked;
      else now.value = old.value;
      if (now.type === "hidden") showInstant(now);
    }
    if (!old.hidden && old.type !== "hidden" && old.matches("input, textarea") && valueOf(old) === valueOf(now)) stay(old, now);
  }
  // A save leaves the focus on a button too. A step moves it itself.
  const twin = ({ localName, name, value }, to) => {
    if (localName !== "button") return to && fresh.get(keyOf(active).replace(name, to));
    const now = name === "_do" ? sameStep(was, rows, value) : value;
    return !isStep && [...next.elements].find((e) => e.name === name && e.value === now);
  };
  const back = form.contains(active) && active.name ? twin(active, nameIn(active.name)) : null;
  // What was chosen since is in lists whose new versions do not have it.
  const picked = isStep ? [] : inputsOf(form).filter((e) => e.checked && !sent.has(keyOf(e)) && e.closest(".pick") && !same.has(e)).map((e) => [nameIn(e.name), e.closest("li")]);
  become(form, next, same);
  for (const [name, li] of picked) {
    const list = document.getElementById(`f-${name}`)?.querySelector("ul");
    if (list && li.querySelector("input").type === "radio") list.replaceChildren();
    list?.append(li);
  }
  if (back) {
    const input = same.get(back) ?? back;
    input.focus({ preventScroll: true });
    if (start != null) input.setSelectionRange(start, end);
  }
  document.dispatchEvent(new CustomEvent("form-swapped", { detail: { form, was, step } }));
  return form.contains(document.activeElement);
}

// A step of a form: only the form is replaced by the answer, and the page stays where it is. Steps wait for one another. What cannot be asked so is
// sent as without a script.
const plain = new WeakSet();
let steps = Promise.resolve();
document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  if (button?.name !== "_do" || plain.has(button)) return;
  event.preventDefault();
  const was = rowIds(form);
  steps = steps.then(() => step(form, button, was));
});

async function step(form, pressed, was) {
  const button = pressed.isConnected ? pressed : [...form.querySelectorAll("button[name=_do]")].find((b) => b.value === sameStep(was, rowIds(form), pressed.value));
  if (!button) return;
  button.ariaBusy = "true";
  form.setAttribute("aria-busy", "true");
  const before = [...new FormData(form)];
  const sent = stateOf(form);
  const loading = form.closest("dialog") ? null : load("undo"); // a dialog is left by Escape
  const answer = await askPage(button.formAction, bodyOf(form, button));
  const next = answer?.ok && !answer.redirected && (await pageOf(answer)).querySelector("main form.form");
  form.removeAttribute("aria-busy");
  button.ariaBusy = null;
  if (!answer) return tell(unconnected);
  if (answer.status === 401) return;
  if (!next) {
    plain.add(button);
    form.requestSubmit(button);
    return;
  }
  (await loading)?.offer(button.value, before); // before the form shows the step, so that Ctrl+Z does not undo the one before
  const elsewhere = document.activeElement !== button;
  if (swapForm(form, next, sent, button.value) && elsewhere) return;
  const verb = button.value.split(" ")[0];
  const place = document.getElementById(new URL(button.formAction).hash.slice(1));
  const again = [...(place?.querySelectorAll("button[name=_do]") || [])].find((b) => b.value === button.value || b.closest("fieldset") === place && b.value.startsWith(verb + " "));
  const first = ["add", "insert", "copy"].includes(verb) && place?.querySelector("input:not([type=hidden]), select, textarea, button[data-source]");
  (first || again || place)?.focus();
}

// What a form holds is not left without a question.
const begun = new WeakMap(); // what each form held when it was loaded or saved
const leaving = new WeakSet();
const stored = (form, held) => begun.set(form, JSON.stringify([...held]));
const untouched = (form) => begun.get(form) === JSON.stringify([...stateOf(form)]);
for (const form of document.querySelectorAll("main form.form")) stored(form, stateOf(form));
// A form is sent once: a second click, while the page is being left, would make the same thing twice. It may be sent again where the page stays after all;
// not every browser tells.
const stays = () => { for (const form of document.forms) leaving.delete(form); };
// Without a connection, the page of the browser would take the place of the form. A browser without a network may still reach a service beside it.
const reached = new WeakSet();
addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented) return;
  if (form.method === "post" && !navigator.onLine && !reached.delete(form)) {
    event.preventDefault();
    if (!(await checkSession())) return tell(unconnected);
    reached.add(form);
    return form.requestSubmit(submitter);
  }
  if (form.method === "post" && leaving.has(form)) return event.preventDefault();
  leaving.add(form);
  setTimeout(stays, 30_000);
});
addEventListener("pageshow", stays);
window.navigation?.addEventListener("navigateerror", stays);
addEventListener("beforeunload", (event) => {
  for (const form of document.querySelectorAll("main form.form, dialog form.form")) if (!leaving.has(form) && !untouched(form)) event.preventDefault();
  // Small forms, such as that of a reply, have typed texts too.
  for (const e of document.querySelectorAll("main form:not(.form) textarea")) if (!leaving.has(e.form) && e.value !== e.defaultValue) event.preventDefault();
});

// Back and a reload put typed texts into the form again. They still change the version for which they were typed, not one that somebody saved since.
addEventListener("pageshow", () => {
  const version = document.querySelector("main form.form > [name=_version]");
  if (!version) return;
  if (history.state?.version && !untouched(version.form)) version.value = history.state.version;
  history.replaceState({ ...history.state, version: version.value }, "");
});

// The summary of what is wrong has the focus; its links lead to the fields.
document.getElementById("problems")?.focus();
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#problems a[href^='#']");
  const field = link && document.getElementById(link.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  reveal(field);
  field.focus({ preventScroll: true });
});

// reveal scrolls to a field and opens what it is folded in.
function reveal(field) {
  field.dispatchEvent(new Event("reveal", { bubbles: true }));
  for (let fold = field.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) fold.open = true;
  field.scrollIntoView({ block: field.offsetHeight > innerHeight / 2 ? "start" : "center" }); // with its message
}

// The library in a dialog, searched while one types.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-source]");
  if (!button) return;
  event.preventDefault();
  choose(button);
});

async function choose(button) {
  const picker = await load("picker");
  if (picker) {
    if (!document.querySelector("dialog.picker")) picker.choose(button); // the first click of two has opened it
    return;
  }
  plain.add(button);
  button.form?.requestSubmit(button);
}

// fill makes an empty choice one of what is chosen.
function fill(li, { id, text, note, url }) {
  li.querySelector("input").value = id;
  li.querySelector(".what").textContent = text;
  li.querySelector("small").textContent = note;
  const image = li.querySelector("img");
  image.hidden = !url;
  if (url) image.src = url;
  for (const b of li.querySelectorAll("button")) {
    b.value += id;
    b.title = b.ariaLabel += text;
  }
}

// Files are sent one by one, with their progress.
document.addEventListener("submit", async (event) => {
  const input = event.target.querySelector("input[data-direct]");
  if (!input?.files.length) return;
  event.preventDefault();
  const upload = await load("upload");
  if (upload) upload.uploadAll(event.target, input);
  else event.target.submit();
});

// Ctrl+K opens a dialog that jumps to pages, entries and actions. Without a script, the field in the header searches entries.
{
  const field = document.querySelector(".find-all input");
  if (field) {
    if (!matchMedia("(pointer: coarse), (max-width: 56rem)").matches) field.placeholder += "  Ctrl+K";
    addEventListener("keydown", async (event) => {
      if (event.key === "Control" || event.key === "Meta") load("palette"); // the K follows
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k" && !document.querySelector("dialog[open]")) {
        if (event.defaultPrevented || event.target.closest?.("[data-editor]")) return; // an editor of texts makes links by this key
        event.preventDefault();
        const palette = await load("palette");
        if (!palette) field.focus();
        else if (!document.querySelector("dialog[open]")) palette.open();
      }
    });
  }
}

// Scripts that the page can do without at first come once it is ready.
addEventListener("DOMContentLoaded", () => {
  const later = document.querySelector("meta[name=later]");
  if (later) document.head.append(make("script", { src: later.content }));
});

// The picker is fetched when the pointer or the focus comes to a button that opens it.
for (const kind of ["pointerover", "focusin"]) addEventListener(kind, ({ target }) => target.closest?.("button[data-source]") && load("picker"));

// Files may be dropped at once. The styles that stand in this page are fetched for the next ones, and the font.
addEventListener("load", () => {
  if (document.querySelector("input[data-direct]")) load("upload");
  for (const file of document.querySelector("style[data-files]")?.dataset.files.trim().split(" ") ?? []) fetch(file).catch(() => null);
});

// Ctrl+K offers the pages that this user saw last.
const thisPage = () => location.origin + location.pathname;
const seenPages = () => {
  const { by, pages } = JSON.parse(localStorage.seen ?? "{}");
  return by === document.querySelector("[data-me]")?.textContent ? pages : [];
};
if (document.querySelector("#menu") && performance.getEntriesByType("navigation")[0]?.responseStatus === 200) {
  const text = document.querySelector("main h1")?.textContent.trim();
  const pages = [{ text, href: thisPage() }, ...seenPages().filter(({ href }) => href !== thisPage())].slice(0, 7);
  if (text) localStorage.seen = JSON.stringify({ by: document.querySelector("[data-me]").textContent, pages });
}
