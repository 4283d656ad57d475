// The preview of an entry: in a pane beside its form, in a window of its own, or on a page of its own. The pane is a frame with the entry's page on the
// site. It is shown in one of three widths and follows each save, as the window does. Sites that load /assets/preview.js open a field of the form at a click.
"use strict";

(() => {
  const pane = document.querySelector(".preview.pane");
  const owned = document.querySelector(".preview iframe"); // on the page of its own
  const wide = matchMedia("(min-width: 105rem)");
  const sizes = { Phone: 390, Tablet: 820, Desktop: 1280 };
  const names = { Phone: t("Phone"), Tablet: t("Tablet"), Desktop: t("Desktop") };
  const setting = (name, value) => {
    try {
      if (value === undefined) return localStorage.getItem(`preview-${name}`);
      localStorage.setItem(`preview-${name}`, value);
    } catch { /* a browser that keeps nothing: the choice holds for this page */ }
    return null;
  };

  // Measures go into a sheet of their own: the pages allow no styles in elements.
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let share = Number(setting("share")) || 45; // of the row, in percent
  let size = sizes[setting("size")] ? setting("size") : "Desktop";

  const stage = document.querySelector(".stage") || make("div", { className: "stage" });
  let frame = owned;
  let link = owned && { url: owned.src };
  let apart = null; // the window of its own
  let scripted = false; // the page in the frame has the script and reloads itself

  function fit() {
    const room = stage.clientWidth;
    const width = size === "Desktop" ? Math.max(room, sizes.Desktop) : sizes[size];
    const scale = Math.min(1, room / width);
    sheet.replaceSync(`.split { --pane: ${share}%; } .stage iframe { width: ${width}px; height: ${stage.clientHeight / scale}px;
      transform: scale(${scale}); left: ${Math.max(0, (room - width * scale) / 2)}px; }`);
  }

  const sizeButtons = Object.keys(sizes).map((name) => make("button", { type: "button", textContent: names[name], ariaPressed: String(name === size), onclick: () => {
    size = name;
    setting("size", name);
    for (const b of sizeButtons) b.ariaPressed = String(b.textContent === names[name]);
    fit();
  } }));
  const note = make("p", { className: "note" });
  note.setAttribute("role", "status");
  const tools = make("div", { className: "widths", role: "group", ariaLabel: t("Width of the screen") }, ...sizeButtons);

  // A frame takes the messages of a drag that leaves the separator; so does the pointer's capture, where a browser has it for frames of other sites.
  function separator(split) {
    const bar = make("div", { className: "divider", tabIndex: 0, role: "separator", ariaOrientation: "vertical", ariaLabel: t("Width of the preview"), ariaValueMin: "20", ariaValueMax: "70" });
    const set = (percent) => {
      share = Math.round(Math.min(70, Math.max(20, percent)));
      bar.ariaValueNow = String(share);
      setting("share", share);
      fit();
    };
    bar.ariaValueNow = String(share);
    bar.onkeydown = (event) => {
      const to = { [backward]: share + 5, [onward]: share - 5, Home: 70, End: 20 }[event.key];
      if (!to) return;
      event.preventDefault();
      set(to);
    };
    bar.onpointerdown = (event) => {
      event.preventDefault();
      bar.focus();
      bar.setPointerCapture(event.pointerId);
      split.classList.add("dragging");
    };
    bar.onpointermove = (event) => {
      if (!bar.hasPointerCapture(event.pointerId)) return;
      const row = split.getBoundingClientRect();
      set(((onward === "ArrowLeft" ? event.clientX - row.left : row.right - event.clientX) / row.width) * 100);
    };
    bar.onlostpointercapture = () => split.classList.remove("dragging");
    return bar;
  }

  // edited is the address of the entry; a new one gets it when it is first saved.
  const edited = () => location.pathname.replace(/\/(edit|preview)$/, "");

  // linked asks for a link, unless there is one, and reports whether there is one. Links expire; a new one is asked for before that.
  const fresh = () => link && Date.parse(link.expires_at) - Date.now() > 60_000;
  async function linked() {
    if (fresh()) return true;
    const body = new URLSearchParams({ _csrf: document.querySelector("[name=_csrf]").value });
    const answer = await askJSON(`${edited()}/preview`, body);
    const { data, error } = await resultOf(answer);
    note.textContent = data ? "" : t("No preview: {1}", error.message);
    link = data;
    return Boolean(data);
  }

  // show puts the page of the entry into the frame.
  async function show() {
    if (!(await linked())) return;
    scripted = false;
    frame?.remove();
    frame = make("iframe", { src: link.url, title: t("The entry on its site") });
    stage.append(frame);
  }

  // part shows it in a window of its own.
  async function part() {
    if (await linked()) apart = window.open(link.url, "preview", "popup,width=1280,height=900");
    follow();
  }
  // follow makes saves come sooner while a preview is there to see.
  const follow = () => {
    pause = !pane.hidden || (apart && !apart.closed) ? 600 : 1500;
  };
  const post = (to, message) => to.postMessage(message, new URL(link.url).origin);

  function refresh() {
    if (apart && !apart.closed) post(apart, { cms: "refresh" });
    if (!pane || pane.hidden) return;
    if (scripted && fresh()) post(frame.contentWindow, { cms: "refresh" });
    else show();
  }
  document.addEventListener("entry-saved", refresh);

  // openField moves to a field of the form on this page, and opens its picker for a picture. It reports whether there is one.
  function openField(path, picture) {
    for (let name = path; name; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
      const field = document.getElementById(`f-${name}`) || document.getElementById(`f-data.${name}`);
      if (!field?.closest("#entry")) continue;
      if (typeof showTabOf === "function") showTabOf(field);
      reveal(field);
      const input = field.matches("input, textarea, select, button, [tabindex]") ? field : field.querySelector("input:not([type=hidden]), textarea, select, button");
      (input || field).focus({ preventScroll: true });
      if (picture) field.querySelector("button[value^='pick ']")?.click();
      return true;
    }
    return false;
  }

  // A site may name any field of any entry; what is no name is dropped.
  function open({ model, id, field, picture }) {
    if (!/^[a-z0-9][a-z0-9-]*$/.test(model) || !/^[0-9a-f-]{36}$/.test(id) || !/^[A-Za-z0-9_.-]*$/.test(field)) return;
    const at = `/admin/models/${model}/entries/${id}`;
    if (edited() !== at) window.open(`${at}/edit#${field}`, "_blank", "noopener");
    else if (owned) location.assign(`${at}/edit#${field}`);
    else openField(field, picture === true);
  }

  // typable are the inputs whose texts the site may type: the title, and plain texts of one line or more.
  const typable = () => [...document.querySelectorAll("#entry input[type=text][name], #entry textarea[name]:not(.markdown, .code)")]
    .filter((i) => (i.name === "title" || i.name.startsWith("data.")) && !i.readOnly);
  const hasLines = (input) => input.matches("textarea:not(.line)");

  const rows = () => [...document.querySelectorAll("#entry fieldset.rows > fieldset.group")];

  let aim = ""; // the block that was moved on the site, which comes again

  // offer tells the site what can be typed in place, how long it is, and what has more than one line, which blocks can be changed, and which one gets the focus.
  function offer(to, focus = "") {
    const [, model, id] = /^\/admin\/models\/([^/]+)\/entries\/([^/]+)$/.exec(edited()) || [];
    if (model && !owned) post(to, { cms: "fields", model, id, sizes: Object.fromEntries(typable().map((i) => [i.name, i.value.trim().length])), lines: typable().filter(hasLines).map((i) => i.name), rows: rows().map((row) => row.id.slice(2)), focus });
  }

  // patch puts a text that was typed on the site into the form, which saves it as a draft. One for another entry is dropped.
  function patch({ model, id, field, value }) {
    const input = edited() === `/admin/models/${model}/entries/${id}` && typable().find((i) => i.name === field);
    if (!input || typeof value !== "string" || owned) return;
    input.value = hasLines(input) ? value : value.replace(/\s*\n\s*/g, " ");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // block does to a block of the form what the buttons of the block do. One of another entry is dropped.
  function block({ model, id, field, act }) {
    const row = edited() === `/admin/models/${model}/entries/${id}` && !owned && rows().find((r) => r.id === `f-${field}`);
    if (!row) return;
    const [next, previous] = [row.nextElementSibling, row.previousElementSibling].map((e) => (e?.matches("fieldset.group") ? e : null));
    if (act === "above" || act === "below") document.dispatchEvent(new CustomEvent("insert-row", { detail: { list: row.parentElement, before: act === "above" ? row : next } }));
    const button = [...row.querySelectorAll(":scope > .steps-of > button[name=_do]")].find((b) => b.value === `${act} ${field}`);
    if (!button) return;
    aim = act === "remove" ? (next ? field : previous?.id.slice(2) || "") : renamed(`${field}.x`, `${act} ${field}`).slice(0, -2);
    button.click();
  }
  document.addEventListener("form-swapped", () => {
    if (frame && scripted) offer(frame.contentWindow);
    if (apart && !apart.closed) offer(apart);
  });
  addEventListener("pagehide", () => apart && !apart.closed && post(apart, { cms: "fields" }));

  addEventListener("message", ({ data, origin, source }) => {
    if (!link || origin !== new URL(link.url).origin || !data) return;
    // What comes after the page may be one without the script, or an error of the browser. A page that has gone already is null.
    if (data.cms === "gone" && (!source || source === frame?.contentWindow)) scripted = false;
    if (!source || ![frame?.contentWindow, apart].includes(source)) return;
    if (data.cms === "ready") {
      if (source !== apart) scripted = true;
      offer(source, aim);
      aim = "";
    }
    if (data.cms === "open") open(data);
    if (data.cms === "patch") patch(data);
    if (data.cms === "block") block(data);
  });

  new ResizeObserver(fit).observe(stage);
  if (owned) stage.before(tools);
  // equip puts the pane beside the form, and the button into the bar.
  function equip() {
    const split = pane.parentElement;
    const toggle = make("button", { type: "button", textContent: t("Preview beside") });
    const turn = (on) => {
      pane.hidden = !on;
      toggle.ariaExpanded = String(on);
      split.classList.toggle("open", on);
      follow();
      if (on) show();
    };
    toggle.setAttribute("aria-controls", pane.id);
    toggle.onclick = () => {
      turn(pane.hidden);
      setting("open", pane.hidden ? "no" : "yes");
      toggle.closest("details")?.removeAttribute("open");
      if (pane.getBoundingClientRect().top > innerHeight) pane.scrollIntoView(); // it is below the form
    };
    pane.append(make("div", { className: "pane-tools" }, tools, make("button", { type: "button", textContent: t("In a window"), onclick: part })), note, stage);
    pane.before(separator(split));
    const small = matchMedia("(max-width: 56rem)").matches && document.querySelector(".entry-bar .menu");
    (small || document.querySelector(".entry-bar .actions")).prepend(toggle);
    turn(wide.matches ? setting("open") !== "no" : setting("open") === "yes");
  }
  if (pane && isNew()) document.addEventListener("entry-begun", equip, { once: true });
  else if (pane) equip();
  if (document.getElementById("entry") && location.hash) openField(decodeURIComponent(location.hash.slice(1)));
})();
