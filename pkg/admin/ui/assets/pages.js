// What every page does better with a script: times in the reader's zone, selected rows, jobs under way,
// files that are dropped, texts that save themselves.
"use strict";

{
  const zoned = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });

  // showTimes writes the timestamps below an element in the reader's zone, and says which zone that is.
  const showTimes = (root) => {
    for (const time of root.querySelectorAll?.("time[datetime]:not(.calendar time)") || []) {
      const at = new Date(time.dateTime);
      if (time.dateTime.length <= 10 || isNaN(at) || time.dataset.zoned) continue;
      time.dataset.zoned = "true";
      time.title = at.toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
      time.textContent = zoned.format(at);
    }
  };

  // What is planned stands on the days that the reader has, in the calendar and in the list below it.
  const dayOf = (at) => `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, "0")}-${String(at.getDate()).padStart(2, "0")}`;
  const ownDays = (says) => {
    says.textContent = `All times are in your zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
    const cells = new Map([...document.querySelectorAll(".calendar td")].map((td) => [td.querySelector("time").dateTime, td]));
    for (const item of document.querySelectorAll(".calendar li")) { // in order of time
      const time = item.querySelector("time");
      const at = new Date(time.dateTime);
      const cell = cells.get(dayOf(at)) ?? item.closest("td");
      time.textContent = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
      time.title = time.dateTime;
      if (cell === item.closest("td")) continue;
      const list = cell.querySelector("ul") ?? cell.appendChild(make("ul", { className: "plain" }));
      const later = [...list.children].find((other) => other.querySelector("time").dateTime > time.dateTime);
      list.insertBefore(item, later ?? null);
    }
    document.querySelectorAll(".calendar ul:empty").forEach((list) => list.remove());
    const days = new Map(), sections = [...document.querySelectorAll("[data-planned]")];
    for (const row of document.querySelectorAll("[data-planned] tbody tr")) {
      const at = new Date(row.querySelector("time").dateTime);
      const day = dayOf(at);
      if (!days.has(day)) days.set(day, { at, rows: [] });
      days.get(day).rows.push(row);
    }
    if (days.size === 0) return;
    const made = [...days.values()].map(({ at, rows }) => {
      const section = sections[0].cloneNode(true);
      section.querySelector("h2").textContent = at.toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
      section.querySelector("tbody").replaceChildren(...rows);
      return section;
    });
    sections[0].before(...made);
    sections.forEach((section) => section.remove());
  };
  const says = document.querySelector("[data-zone]");
  if (says) ownDays(says);
  showTimes(document);
  new MutationObserver((changes) => {
    for (const change of changes) change.addedNodes.forEach(showTimes);
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
}

// A box in the head of a table selects all its rows; with shift, a box selects those up to it.
{
  const boxes = () => [...document.querySelectorAll('input[name=ids][form=bulk]')];
  const all = document.querySelector("input[data-all]");
  const says = document.querySelector("[data-selected]");
  let last;
  const count = () => {
    const n = boxes().filter((box) => box.checked).length;
    says.textContent = n === 0 ? "With the selected rows:" : n === 1 ? "1 row selected:" : `${n} rows selected:`;
    all.checked = n > 0 && n === boxes().length;
    all.indeterminate = n > 0 && !all.checked;
  };
  if (all && says) {
    all.hidden = false;
    all.onchange = () => {
      for (const box of boxes()) box.checked = all.checked;
      count();
    };
    document.addEventListener("click", ({ target, shiftKey }) => {
      if (!target.matches?.("input[name=ids]")) return;
      const list = boxes();
      const [from, to] = [list.indexOf(last), list.indexOf(target)].sort((a, b) => a - b);
      if (shiftKey && from >= 0) for (const box of list.slice(from, to)) box.checked = target.checked;
      last = target;
      count();
    });
    addEventListener("pageshow", count); // a browser restores boxes on the way back
  }
}

// A page about work under way is asked for again until it is finished.
{
  const poll = async () => {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    const next = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    if (next) {
      document.querySelector("main").replaceChildren(...next.querySelector("main").childNodes);
      document.title = next.title;
    }
    if (!next || next.querySelector("main[data-poll]")) setTimeout(poll, 1000);
  };
  if (document.querySelector("main[data-poll]")) setTimeout(poll, 300);
}

// Files that are dropped anywhere on the page of the library are uploaded.
{
  const form = document.querySelector("form[data-drop]");
  if (form) {
    form.querySelector("[data-drop-hint]").hidden = false;
    const main = document.querySelector("main");
    const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      main.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) main.classList.remove("dropping");
    });
    addEventListener("drop", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      main.classList.remove("dropping");
      form.elements.file.files = event.dataTransfer.files;
      form.requestSubmit();
    });
  }
}

// A form of one text in a grid saves when the text is left, without leaving the page.
for (const form of document.querySelectorAll("form[data-quiet]")) {
  const [input, status] = [form.elements.alt, form.querySelector("[role=status]")];
  let saved = input.value;
  const save = async () => {
    if (input.value === saved) return;
    const text = input.value;
    status.textContent = "Saving…";
    const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRF-Token": form.elements._csrf.value };
    const answer = await fetch(form.action, { method: "PUT", headers, body: JSON.stringify({ alt: text }) }).catch(() => null);
    if (answer?.ok) saved = text;
    status.textContent = answer?.ok ? "Saved." : "Not saved. Try again.";
  };
  input.onchange = save;
  form.onsubmit = (event) => {
    event.preventDefault();
    save();
  };
}

// Buttons that copy.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.onclick = async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  };
}

// The focal point of a picture is marked on it; the arrow keys move it.
for (const picture of document.querySelectorAll("img.focal")) {
  const input = document.getElementById(picture.dataset.for);
  const svg = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
  const [layer, mark] = [svg("svg"), svg("circle")];
  layer.append(mark);
  layer.setAttribute("aria-hidden", "true");
  mark.setAttribute("r", "12");
  const frame = document.createElement("div");
  frame.className = "focus-point";
  picture.replaceWith(frame);
  frame.append(picture, layer);
  const read = () => {
    try {
      return { x: 0.5, y: 0.5, ...JSON.parse(input.value || "{}") };
    } catch {
      return { x: 0.5, y: 0.5 };
    }
  };
  const show = () => {
    const { x, y } = read();
    mark.setAttribute("cx", `${x * 100}%`);
    mark.setAttribute("cy", `${y * 100}%`);
  };
  picture.addEventListener("click", () => setTimeout(show)); // after the click has set the value
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-0.02, 0], ArrowRight: [0.02, 0], ArrowUp: [0, -0.02], ArrowDown: [0, 0.02] }[event.key];
    if (!step || !event.altKey) return;
    event.preventDefault();
    const { x, y } = read();
    const part = (v) => Math.round(Math.min(1, Math.max(0, v)) * 1000) / 1000;
    input.value = JSON.stringify({ x: part(x + step[0]), y: part(y + step[1]) });
    show();
  });
  show();
}

// In a list with a pane, j and k open the next row and the one before, x selects the open one.
document.addEventListener("keydown", (event) => {
  const rows = [...document.querySelectorAll("a.row")];
  if (!document.querySelector("#bulk, .panes") || event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!rows.some((row) => row.search.includes("open="))) return;
  const at = rows.findIndex((row) => row.getAttribute("aria-current"));
  const by = { j: 1, k: -1 }[event.key];
  if (by) rows[at < 0 ? 0 : at + by]?.click();
  if (event.key === "x") rows[at]?.closest("tr").querySelector("input[name=ids]")?.click();
});
