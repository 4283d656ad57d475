// The calendar of what is planned, and the list below it, in the zone of the reader.
"use strict";

{
  // What is planned stands on the days that the reader has, in the calendar and in the list below it.
  const dayOf = (at) => `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, "0")}-${String(at.getDate()).padStart(2, "0")}`;
  const instantOf = (text) => new Date(text.length > 10 ? text : `${text}T00:00`); // a date is the same day everywhere
  const ownDays = (says) => {
    says.textContent = t("All times are in your zone, {1}.", Intl.DateTimeFormat().resolvedOptions().timeZone);
    const today = document.querySelector(`.calendar td > time[datetime="${dayOf(new Date())}"]`);
    if (today) today.ariaCurrent = "date";
    const cells = new Map([...document.querySelectorAll(".calendar td")].map((td) => [td.querySelector("time").dateTime, td]));
    for (const item of document.querySelectorAll(".calendar li")) { // in order of time
      const time = item.querySelector("time");
      const at = instantOf(time.dateTime);
      const cell = cells.get(dayOf(at)) ?? item.closest("td");
      if (time.dateTime.length > 10) time.textContent = at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
      time.title = time.dateTime;
      if (cell === item.closest("td")) continue;
      const list = cell.querySelector("ul") ?? cell.appendChild(make("ul", { className: "plain" }));
      const later = [...list.children].find((other) => other.querySelector("time").dateTime > time.dateTime);
      list.insertBefore(item, later ?? null);
    }
    document.querySelectorAll(".calendar ul:empty").forEach((list) => list.remove());
    const days = new Map(), sections = [...document.querySelectorAll("[data-planned]")];
    for (const row of document.querySelectorAll("[data-planned] tbody tr")) {
      const at = instantOf(row.querySelector("time").dateTime);
      const day = dayOf(at);
      if (!days.has(day)) days.set(day, { at, rows: [] });
      days.get(day).rows.push(row);
    }
    if (days.size === 0) return;
    const made = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { at, rows }]) => {
      const section = sections[0].cloneNode(true);
      section.querySelector("h2").textContent = at.toLocaleDateString(language, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
      section.querySelector("tbody").replaceChildren(...rows);
      return section;
    });
    sections[0].before(...made);
    sections.forEach((section) => section.remove());
  };

  // A plan moves to another day by its handle: the form of its link is sent with the same time of that day.
  const dayText = (at) => at.toLocaleDateString(language, { weekday: "long", day: "numeric", month: "long" });
  let work = Promise.resolve(); // moves wait for one another

  // send plans a change for another time, and returns why it was not, "" if it was.
  async function send(address, field, at) {
    const page = await pageAt(address);
    const form = page?.querySelector("main form.form");
    if (!form) return t("The service cannot be reached, or the form is not there any more.");
    const notice = page.querySelector("main .notice p"); // such as a change that nobody has looked at
    if (notice) return notice.textContent;
    form.querySelector(`[name="${field}"]`).setAttribute("value", at.toISOString().slice(0, 19));
    const answer = await askJSON(form.getAttribute("action"), bodyOf(form));
    return answer?.ok ? "" : messageOf((await resultOf(answer)).error);
  }

  async function move(plan, at, back) {
    const problem = await send(plan.address, plan.field, at);
    await renew();
    const undo = make("button", { type: "button", textContent: t("Undo"), onclick: () => queue(() => move(plan, back, null)) });
    const text = problem ? t("{1} was not moved: {2}", plan.title, problem) : t("{1} moved to {2}.", plan.title, dayText(at));
    tell(make("span", { textContent: text }), ...(back && !problem ? [" ", undo] : []));
    (itemOf(plan)?.querySelector(".drag") ?? undo).focus(); // it may have left the days that are shown
  }

  const queue = (run) => { work = work.then(run); };
  const titleOf = (link) => link.textContent.replace(link.querySelector("time").textContent, "").trim();
  const planOf = (item) => ({ address: item.querySelector(".move").getAttribute("href"), field: item.dataset.field, title: titleOf(item.querySelector("a")) });
  const itemOf = (plan) => [...document.querySelectorAll(".calendar [data-field]")].find((item) => planOf(item).address === plan.address && item.dataset.field === plan.field);

  // moveBy moves a plan by days; its time of the day stays.
  const moveBy = (item, days) => {
    const plan = planOf(item);
    queue(() => {
      const now = itemOf(plan)?.querySelector("time").dateTime;
      if (!now) return;
      const at = instantOf(now), back = new Date(at);
      at.setDate(at.getDate() + days);
      return move(plan, at, back);
    });
  };

  async function renew() {
    const next = (await pageAt(location.href))?.querySelector("main");
    if (!next) return location.reload();
    next.querySelector("form.filters").replaceWith(document.querySelector("form.filters")); // which acts at once
    document.querySelector("main").replaceChildren(...next.childNodes);
    begin();
  }

  const step = { [backward]: -1, [onward]: 1, ArrowUp: -7, ArrowDown: 7 };
  const dayAt = (cell) => Date.parse(cell.querySelector("time").dateTime);
  const dragging = {
    group: "days",
    draggable: "[data-field]",
    onStart() { // no week moves while a plan leaves its day
      for (const row of document.querySelectorAll(".calendar tr")) row.style.height = `${row.offsetHeight}px`;
    },
    onEnd: ({ item, from, to }) => {
      const days = Math.round((dayAt(to.closest("td")) - dayAt(from.closest("td"))) / 864e5);
      if (days) moveBy(item, days);
    },
  };

  function equip() {
    const items = [...document.querySelectorAll(".calendar [data-field]")];
    if (!items.length) return;
    const lists = [...document.querySelectorAll(".calendar td")].map((cell) => cell.querySelector("ul") ?? cell.appendChild(make("ul", { className: "plain" })));
    document.querySelector(".calendar").classList.add("drops");
    for (const item of items) item.prepend(dragHandle(planOf(item).title, lists, dragging, (key) => moveBy(item, step[key])));
  }

  function begin() {
    const says = document.querySelector("[data-zone]");
    if (!says) return;
    ownDays(says);
    equip();
  }
  begin();
}
