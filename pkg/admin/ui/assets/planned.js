// The calendar of what is planned, and the list below it, in the zone of the reader.
"use strict";

{
  // What is planned stands on the days that the reader has, in the calendar and in the list below it.
  const dayOf = (at) => `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, "0")}-${String(at.getDate()).padStart(2, "0")}`;
  const instantOf = (text) => new Date(text.length > 10 ? text : `${text}T00:00`); // a date is the same day everywhere
  const ownDays = (says) => {
    says.textContent = `All times are in your zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
    const cells = new Map([...document.querySelectorAll(".calendar td")].map((td) => [td.querySelector("time").dateTime, td]));
    for (const item of document.querySelectorAll(".calendar li")) { // in order of time
      const time = item.querySelector("time");
      const at = instantOf(time.dateTime);
      const cell = cells.get(dayOf(at)) ?? item.closest("td");
      if (time.dateTime.length > 10) time.textContent = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
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
      section.querySelector("h2").textContent = at.toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
      section.querySelector("tbody").replaceChildren(...rows);
      return section;
    });
    sections[0].before(...made);
    sections.forEach((section) => section.remove());
  };

  const says = document.querySelector("[data-zone]");
  if (says) ownDays(says);
}
