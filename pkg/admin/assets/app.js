// What forms do better with a script. Without one, each of these buttons sends its form, and the page comes back changed.
"use strict";

const make = (tag, properties, ...children) => {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children);
  return e;
};

// A step of a form: only the form is replaced by the answer, and the page stays where it is. What cannot be asked so is sent as without a script.
const plain = new WeakSet();
document.addEventListener("submit", async (event) => {
  const { target: form, submitter: button } = event;
  if (button?.name !== "_do" || plain.has(button)) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, button));
  const answer = await fetch(button.formAction, { method: "POST", body, headers: { Accept: "text/html" } }).catch(() => null);
  const next = answer?.ok && !answer.redirected && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main form.form");
  if (!next) {
    plain.add(button);
    form.requestSubmit(button);
    return;
  }
  for (const open of form.querySelectorAll("details[open]")) {
    const name = open.querySelector("[name]")?.name;
    next.querySelector(`[name="${CSS.escape(name)}"]`)?.closest("details")?.setAttribute("open", "");
  }
  form.replaceWith(next);
  const verb = button.value.split(" ")[0];
  const place = document.getElementById(new URL(button.formAction).hash.slice(1));
  const again = [...(place?.querySelectorAll("button[name=_do]") || [])].find((b) => b.value === button.value || b.closest("fieldset") === place && b.value.startsWith(verb + " "));
  const first = verb === "add" && place?.querySelector("input:not([type=hidden]), select, textarea, button[data-source]");
  (first || again || place)?.focus();
});

// The library in a dialog, searched while one types.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-source]");
  if (!button) return;
  event.preventDefault();
  choose(button);
});

function choose(button) {
  const field = button.closest("fieldset");
  const template = field.querySelector("template");
  const many = template.content.querySelector("input").type === "checkbox";
  const chosen = field.querySelector("ul");
  const input = (id) => [...chosen.querySelectorAll("input")].find((i) => i.value === id);

  const title = make("h2", { id: "picker-title", textContent: field.querySelector("legend").firstChild.data.trim() });
  const search = make("input", { type: "search", ariaLabel: "Search", placeholder: "Search", autofocus: true });
  const close = make("button", { type: "button", textContent: many ? "Done" : "Cancel" });
  const found = make("ul", { className: "choices many" });
  const range = make("span", { role: "status" });
  const turn = (text, by) => make("button", { type: "button", textContent: text, hidden: true, onclick: () => load(page + by) });
  const [before, after] = [turn("Previous", -1), turn("Next", 1)];
  const add = make("a", { className: "button", href: button.dataset.add, target: "_blank", textContent: button.dataset.addText, title: "In a new tab" });
  const dialog = make("dialog", { className: "picker" }, make("div", { className: "find" }, title, search, close), found, make("div", { className: "paging" }, range, before, after, add));
  dialog.setAttribute("aria-labelledby", title.id);

  let page = 1;
  let asked = 0; // answers may come in another order
  async function load(to) {
    const address = new URL(button.dataset.source, location.href);
    if (search.value.trim()) address.searchParams.set("q", search.value.trim());
    address.searchParams.set("page", to);
    address.searchParams.set("per_page", 12);
    const mine = ++asked;
    const answer = await fetch(address, { headers: { Accept: "application/json" } }).then((r) => r.json()).catch(() => null);
    if (mine !== asked) return;
    page = to;
    const { page: at, per_page: size, total } = answer?.meta || {};
    const items = answer?.data || [];
    range.textContent = !answer ? "The service cannot be reached." : answer.error ? answer.error.message : items.length ? `${(at - 1) * size + 1}–${(at - 1) * size + items.length} of ${total}` : "Nothing found.";
    before.hidden = !(page > 1);
    after.hidden = !(at * size < total);
    found.replaceChildren(...items.map(choice));
  }

  function choice(item) {
    const picture = item.mime?.startsWith("image/");
    const notes = item.mime ? [!picture && item.mime] : ["localized" in button.dataset && item.locale, item.status !== "published" && item.status];
    const note = notes.filter(Boolean).join(", ");
    const text = item.name || item.title;
    const image = make("img", { className: "thumb", alt: "", hidden: !picture });
    if (picture) image.src = item.url;
    const b = make("button", { type: "button", className: "choice" }, image, make("span", { className: "what", textContent: text }), " ", make("small", { className: "muted", textContent: note }));
    b.ariaPressed = Boolean(input(item.id)?.checked);
    b.onclick = () => {
      if (b.ariaPressed === "true") {
        if (many) input(item.id).closest("li").remove();
      } else {
        const copy = template.content.cloneNode(true);
        fill(copy.firstElementChild, { id: item.id, text, note, url: picture && item.url });
        if (!many) chosen.replaceChildren();
        input(item.id)?.closest("li").remove();
        chosen.append(copy);
      }
      b.ariaPressed = b.ariaPressed !== "true";
      if (!many) dialog.close();
    };
    return make("li", {}, b);
  }

  let typing;
  search.oninput = () => {
    clearTimeout(typing);
    typing = setTimeout(() => load(1), 200);
  };
  const renew = () => load(page); // somebody comes back from an upload
  addEventListener("focus", renew);
  close.onclick = () => dialog.close();
  dialog.onclose = () => {
    removeEventListener("focus", renew);
    dialog.remove();
  };
  document.body.append(dialog);
  dialog.showModal();
  load(1);
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

// Files are sent one by one, with their progress: those that fit into a request as the form would send them, larger ones straight to the store of
// files. Those that were refused stay chosen.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const input = form.querySelector("input[data-direct]");
  if (!input?.files.length) return;
  event.preventDefault();
  const button = form.querySelector("button.primary");
  if (button.disabled) return;
  button.disabled = true;
  form.querySelector(".uploads")?.remove();
  const list = make("ul", { className: "uploads" });
  list.setAttribute("role", "status");
  input.closest(".field").append(list);
  const lines = [...input.files].map((file) => {
    const progress = make("progress", { max: 1, value: 0, ariaLabel: file.name });
    const note = make("span", { textContent: "waits" });
    list.append(make("li", {}, make("span", { className: "what", textContent: file.name }), " ", progress, " ", note));
    return { file, progress, note };
  });
  const failed = new DataTransfer();
  let last;
  for (const { file, progress, note } of lines) {
    const show = (part) => {
      progress.value = part;
      note.textContent = part < 1 ? `${Math.floor(part * 100)} %` : "is checked";
    };
    try {
      show(0);
      last = await upload(file, form, input.dataset, show);
      note.textContent = "uploaded";
    } catch (problem) {
      failed.items.add(file);
      note.textContent = problem.message;
      note.className = "error";
    }
    progress.hidden = true;
  }
  if (failed.files.length === 0) {
    button.disabled = false; // for those who come back
    location.href = form.action + (lines.length === 1 ? `/${last.id}` : "") + "?ok=created";
    return;
  }
  input.files = failed.files;
  button.disabled = false;
  input.focus();
});

// upload makes a file of the library, and gives it.
async function upload(file, form, { direct, max }, show) {
  const headers = { Accept: "application/json", "X-CSRF-Token": form.elements._csrf.value };
  const body = new FormData(form);
  if (file.size <= Number(max)) {
    body.set("file", file);
    return send("POST", form.action, headers, body, show);
  }
  body.delete("file");
  const what = { name: file.name, mime: file.type || "application/octet-stream", size: file.size };
  for (const key of ["alt", "caption", "folder_id"]) what[key] = body.get(key);
  const { id, upload: target } = await send("POST", direct, { ...headers, "Content-Type": "application/json" }, JSON.stringify(what));
  await send(target.method, target.url, target.headers, file, show);
  return send("POST", `${direct}/${id}/complete`, headers, null);
}

// send makes a request, whose progress fetch would not tell, and gives the data of the answer.
function send(method, address, headers, body, show) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (show) request.upload.onprogress = (event) => show(event.loaded / event.total);
    request.onerror = () => reject(new Error("The connection broke."));
    request.onload = () => {
      const type = request.getResponseHeader("Content-Type") || "";
      const { data, error } = type.startsWith("application/json") ? JSON.parse(request.responseText) : {};
      if (request.status < 300) return resolve(data);
      const details = Object.values(error?.details || {}).flat();
      reject(new Error([error?.message || `The upload was refused (${request.status}).`, ...details].join(" ")));
    };
    request.send(body);
  });
}
