// The page of an entry: it saves typed text into the draft, and keeps a copy on this device until that is done.
"use strict";

const bar = document.querySelector(".entry-bar");
const state = document.getElementById("save-state");
const theForm = () => document.getElementById("entry");
const say = (text, kind = "") => {
  state.textContent = text;
  state.className = kind;
};
const clock = (at) => at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });

// The copies of one person on this device: one for each address, written within a second of typing.
const copies = new Promise((resolve, reject) => {
  const request = indexedDB.open(`headless ${me}`, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("texts");
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
// A browser that keeps nothing, or does not answer within a second: the page works without.
const store = (mode, use) => Promise.race([askCopies(mode, use), new Promise((resolve) => setTimeout(resolve, 1000, null))]).catch(() => null);
const askCopies = (mode, use) => copies.then((db) => new Promise((resolve, reject) => {
  const request = use(db.transaction("texts", mode).objectStore("texts"));
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
}));

// A form that was refused stands at the address that it was sent to. It gets that of its page, where a reload and the copy find it again.
let place = theForm() ? new URL(theForm().action).pathname.replace(/\/draft$/, "") + ("new" in theForm().dataset ? "/create" : "") : location.pathname;
if (![place, `${place}/edit`].includes(location.pathname)) history.replaceState(null, "", place + new URL(theForm().action).search.replace(/[?&]draft=true/, "") + location.hash);
// A new entry has no address yet: each tab keeps a copy of its own until it has one.
sessionStorage.tab ??= crypto.randomUUID();
const isNew = () => "new" in (theForm()?.dataset ?? {});
let copyKey = isNew() ? `${place}#${sessionStorage.tab}` : place;
const keep = () => store("readwrite", (texts) => texts.put({ at: Date.now(), fields: [...new FormData(theForm())].filter(([name]) => name !== "_csrf" && name !== "_do") }, copyKey));
const forgetCopy = (key = copyKey) => store("readwrite", (texts) => texts.delete(key));

let dirty = false; // something was typed that the service does not have
let saving = null;
let timer, copying, firstAt;
let pause = 1500; // without typing, in ms, before a save; shorter beside a preview

function changed(event) {
  if (!event.target.form?.matches("#entry[data-draft], #entry[data-new]") || event.target.type === "search") return;
  const form = theForm();
  if (!dirty && untouched(form)) return;
  dirty = true;
  bar.querySelector("[name=_then]")?.classList.add("primary"); // there is something to publish now
  clearTimeout(copying);
  copying = setTimeout(keep, 500);
  if (isNew()) {
    clearTimeout(timer);
    timer = setTimeout(save, 2500);
    return;
  }
  if (!("draft" in form.dataset)) return;
  say(t("Not saved yet"));
  firstAt ??= Date.now();
  clearTimeout(timer);
  timer = setTimeout(save, Date.now() - firstAt > 10000 ? 0 : pause);
}
// What is said about a field that was refused holds until it is changed.
function answered({ target }) {
  const field = target.form?.id === "entry" && target.closest(".field.wrong, fieldset.wrong");
  if (!field) return;
  field.classList.remove("wrong");
  const hints = field.querySelector(":scope > [id$='-hints']"); // a group keeps what is said about its other fields
  const id = hints?.id.replace(/-hints$/, "");
  document.getElementById(id)?.removeAttribute("aria-invalid");
  for (const e of hints?.querySelectorAll(".error") ?? []) e.remove();
  for (const link of document.querySelectorAll("#problems li a")) if (link.hash === `#${id}`) link.parentElement.remove();
  const problems = document.getElementById("problems");
  if (problems?.querySelector("ul") && !problems.querySelector("li")) problems.remove();
}
document.addEventListener("input", answered);
document.addEventListener("change", answered);
document.addEventListener("input", changed);
document.addEventListener("change", changed);
document.addEventListener("form-swapped", () => changed({ target: { form: theForm() } }));
// Back and a reload show the stored texts. A browser that puts former texts into the form would save them over newer ones; unsaved texts are kept here.
const unrestored = () => theForm()?.setAttribute("autocomplete", "off");
document.addEventListener("form-swapped", unrestored);
unrestored();
// Beside the texts stands one pane at a time: the details, the comments, the texts for search engines or the versions. Where there is no room
// beside them, the details and those texts stand below, and the versions have their own page.
const room = matchMedia("(min-width: 64.01rem)");
let left = history.state?.pane; // was open when the page was left; Back and a reload open it again
function pane(name) {
  history.replaceState({ pane: name }, "");
  if (name === "seo") document.querySelector(".seo").open = true;
  document.body.dataset.pane = name;
  for (const tab of document.querySelectorAll(".views [data-pane]")) {
    const here = tab.dataset.pane === name;
    tab.ariaSelected = String(here);
    tab.tabIndex = here ? 0 : -1;
  }
  document.dispatchEvent(new Event("pane"));
}
function setTabs() {
  const list = document.querySelector(".views > .tabs ul");
  if (!list) return; // the style guide
  list.role = "tablist";
  list.ariaLabel = t("Parts of the entry");
  for (const li of list.children) li.role = "presentation";
  for (const tab of list.querySelectorAll("[data-pane]")) {
    tab.role = "tab";
    tab.removeAttribute("aria-current");
    if (!tab.hasAttribute("aria-controls")) tab.setAttribute("aria-controls", "side");
  }
  list.onclick = (event) => {
    const tab = event.target.closest("a[data-pane]");
    if (!tab || (!tab.hash && (!room.matches || document.querySelector(".desk.two, .split.open")))) return;
    event.preventDefault();
    pane(tab.dataset.pane);
    if (tab.hash) document.getElementById(tab.hash.slice(1))?.scrollIntoView({ block: "nearest" });
    else load("history").then((module) => module ?? location.assign(tab.href));
  };
  list.onkeydown = (event) => {
    const all = [...list.querySelectorAll("[data-pane]")];
    const by = { [onward]: 1, [backward]: -1 }[event.key];
    if (by) all[(all.indexOf(event.target) + by + all.length) % all.length].focus();
    else if (event.key === " ") event.target.click();
    else return;
    event.preventDefault();
  };
  pane(document.body.dataset.pane ?? "");
  const again = left && room.matches && !document.querySelector(".desk.two, .split.open") && list.querySelector(`[data-pane=${left}]`);
  if (!again) return;
  left = "";
  queueMicrotask(() => again.click()); // once the script that has just added the tab is ready
}
setTabs();
document.addEventListener("reveal", ({ target }) => {
  if (target.closest(".side-fields")) pane(target.closest(".seo") ? "seo" : "");
});
document.addEventListener("form-swapped", () => document.body.dataset.pane === "seo" && pane("seo"));
{
  const field = location.hash.startsWith("#f-") && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (field) reveal(field);
}
// The search result follows what is typed, once it is seen.
for (const kind of ["toggle", "input"]) document.addEventListener(kind, () => document.querySelector(".seo[open]") && load("seo"), true);

// save sends the form; what it cannot send is tried again.
function save() {
  clearTimeout(timer);
  if (composing && composing === document.activeElement) timer = setTimeout(save, pause);
  else saving ??= (isNew() ? begin() : sendForm()).finally(() => { saving = null; });
  return saving;
}

// begin makes an entry of the form of a new one, as soon as it has a title and its language is sure. The form of its page takes the place of this one,
// so that it waits while a preset is being named.
async function begin() {
  await steps;
  const form = theForm();
  const { title, locale } = form.elements;
  const more = [...form.querySelectorAll("textarea")].some((e) => e.value.trim());
  if (!isNew() || form.querySelector("[name*='._preset.']") || !title?.value.trim() || (locale && !more && !new URLSearchParams(location.search).has("locale"))) return;
  const body = new FormData(form);
  const sent = stateOf(form);
  dirty = false;
  const answer = await askJSON(form.action, body);
  if (!answer) return later(t("Offline: kept on this device"), 5000);
  if (answer.status === 401) return later(t("The session has ended"), 0);
  const { data, error } = await resultOf(answer);
  if (error && answer.status !== 422) return later(t("Not saved: {1}", error.message), passes(answer));
  say("");
  const at = data && `${place.replace(/\/create$/, "")}/${data.id}`;
  const next = at && (await pageAt(at));
  if (!next?.getElementById("entry")) {
    dirty = true; // the button says why it cannot be created
    return at && location.assign(at);
  }
  await forgetCopy();
  [place, copyKey] = [at, at];
  history.replaceState(history.state, "", at);
  swapForm(form, next.getElementById("entry"), sent, "resume");
  stored(theForm(), sent);
  next.getElementById("save-state").replaceWith(state);
  bar.replaceChildren(...next.querySelector(".entry-bar").childNodes);
  document.title = next.title;
  document.querySelector(".views").replaceWith(next.querySelector(".views"));
  setTabs();
  document.dispatchEvent(new Event("entry-begun"));
  say(t("Saved {1}", clock(new Date())));
  dirty = !untouched(theForm());
  if (dirty) timer = setTimeout(save, 1500);
}

async function sendForm() {
  await steps;
  const form = theForm();
  const body = new FormData(form); // editors put their texts into the form for it
  const sent = stateOf(form);
  firstAt = undefined;
  dirty = false;
  say(t("Saving…"));
  const answer = await askJSON(form.action, body);
  if (!answer) return later(t("Offline: kept on this device"), 5000);
  if (answer.status === 401) return later(t("The session has ended"), 0);
  const { meta, error } = await resultOf(answer);
  if (error) return later(t("Not saved: {1}", error.message), passes(answer));
  document.dispatchEvent(new Event("entry-saved"));
  // The base describes what the form shows, so that the next save leaves alone what others changed.
  theForm().elements._base.value = meta.base;
  const renewed = (meta.others || meta.conflicts) && (await (steps = steps.then(refresh)));
  showProblems(meta.problems || {});
  if (!meta.problems && !meta.conflicts) {
    stored(form, renewed ? stateOf(form) : sent);
    if (!dirty) forgetCopy();
  }
  if (meta.conflicts) return say(t("The same field was changed elsewhere"), "error");
  if (meta.problems) return say(t("Some fields are not valid and not saved"), "error");
  say(t("Saved {1}", clock(new Date())));
  const head = bar.querySelector("h1"), title = body.get("title")?.trim() ?? head.textContent;
  document.title = document.title.replace(head.textContent, () => title);
  head.textContent = head.title = title;
  if (meta.draft) mark();
  if (dirty) timer = setTimeout(save, 1500);
}

// passes returns the wait after a refusal that goes by itself, in ms: the service is down or has too much to do.
const passes = ({ status }) => (status >= 500 || status === 429 ? 5000 : 0);

function later(text, ms) {
  dirty = true;
  say(text, "error");
  clearTimeout(timer);
  if (ms) timer = setTimeout(save, ms);
}

// refresh shows what others changed. If the user types before the answer is there, the next save refreshes the form: its base would not describe
// what was typed.
async function refresh() {
  const form = theForm();
  const body = new FormData(form);
  const sent = stateOf(form);
  body.set("_do", "resume");
  const next = (await pageAt(form.action, body))?.getElementById("entry");
  new FormData(form); // editors put their texts into the form
  if (!next || JSON.stringify([...sent]) !== JSON.stringify([...stateOf(form)])) return;
  const wasDirty = dirty;
  swapForm(form, next, sent, "resume");
  clearTimeout(timer);
  dirty = wasDirty;
  return true;
}

// mark says that a published entry has changes which are not live.
function mark() {
  if (!bar.querySelector(".state .badge.good") || bar.querySelector(".state a.badge")) return;
  state.before(make("a", { className: "badge warn", href: `${place}/draft`, textContent: t("changed, not live") }), " ");
}

function showProblems(problems) {
  for (const e of document.querySelectorAll(".error.unsaved")) e.remove();
  for (const [path, messages] of Object.entries(problems)) {
    let hints = null;
    for (let name = path; !hints && name; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) hints = document.getElementById(`f-${name}-hints`);
    hints?.append(make("p", { className: "error unsaved", textContent: messages.join(", ") }));
  }
}

document.addEventListener("signed-in", () => {
  if (dirty && theForm().matches("[data-draft], [data-new]")) save();
});

// A whole page is only left by a form when the session still stands; else it would lose the page.
let checked = false;
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.id !== "entry" || event.defaultPrevented || event.submitter?.name === "_do" || checked) return;
  event.preventDefault();
  clearTimeout(timer);
  await keep();
  const session = await checkSession();
  if (!session) return later(t("Offline: kept on this device"), 5000);
  if (session.status === 401) return later(t("The session has ended"), 0);
  await saving;
  checked = true;
  theForm().requestSubmit(event.submitter?.isConnected ? event.submitter : undefined);
}, true);

addEventListener("keydown", (event) => {
  if (!bar || !(event.ctrlKey || event.metaKey) || event.altKey) return; // the style guide has no bar
  const publish = bar.querySelector("button[name=_then]");
  if (event.key === "s") {
    event.preventDefault();
    if ("draft" in theForm().dataset) save();
    else bar.querySelector("button[form=entry]")?.click();
  } else if (event.key === "Enter" && publish) publish.click();
});
// A link waits for what was typed to be saved, so that the browser need not ask. What cannot be saved, it asks about.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[href]");
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !link || link.target || link.origin !== location.origin) return;
  if (link.hash && link.pathname === location.pathname || !(dirty || saving) || !("draft" in (theForm()?.dataset || {}))) return;
  event.preventDefault();
  await saving;
  if (dirty) await save();
  location.href = link.href;
});
addEventListener("online", () => dirty && save());
document.addEventListener("visibilitychange", () => {
  if (document.hidden && dirty) {
    keep();
    if ("draft" in (theForm()?.dataset || {})) save();
  }
});

// While the page is being left, nothing can be typed that nobody would send.
addEventListener("submit", (event) => { if (event.target.id === "entry" && !event.defaultPrevented) event.target.inert = true; });
addEventListener("pageshow", () => { if (theForm()) theForm().inert = false; });

// What was typed before a crash is offered until it is brought back or dropped; of new entries the newest that a tab has left.
const offered = `${place}#offered`;
const read = (key) => store("readonly", (texts) => texts.get(key)).then((copy) => copy && { ...copy, key });
const newest = async () => {
  const own = await read(copyKey);
  if (own || !isNew()) return own ?? read(offered);
  const keys = (await store("readonly", (texts) => texts.getAllKeys(IDBKeyRange.bound(`${place}#`, `${place}#~`)))) ?? [];
  return (await Promise.all(keys.map(read))).sort((a, b) => b.at - a.at)[0];
};
newest().then((copy) => {
  const form = theForm();
  if (!copy || !form || Date.now() - copy.at > 30 * 24 * 3600 * 1000) return;
  if (!document.querySelector(".notice.bad") && !differs(form, copy.fields)) return isNew() ? null : forgetCopy(copy.key);
  if (document.querySelector("#problems") || document.querySelector(".notice.good")) return document.querySelector(".notice.good") && forgetCopy();
  store("readwrite", (texts) => texts.put(copy, offered)).then(() => copy.key === offered || forgetCopy(copy.key)); // text typed now is kept beside it
  load("restore").then((module) => module?.offer(copy, offered));
});

function differs(form, fields) {
  const own = (list) => JSON.stringify(list.filter(([name]) => !name.startsWith("_")));
  return own([...new FormData(form)]) !== own(fields);
}
