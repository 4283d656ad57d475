// Lists what is wrong with the page for people: names that a screen reader misses, text that is hard to read, a page that moves sideways.
(() => {
  const flaws = [];
  const what = (e) => `<${e.tagName.toLowerCase()} ${e.id || e.name || e.className || ""}> ${(e.textContent || "").trim().slice(0, 40)}`;
  const seen = (e) => e.checkVisibility({ visibilityProperty: true });
  const named = (e) => (e.labels && [...e.labels].some((l) => l.textContent.trim())) || e.getAttribute("aria-label") || e.getAttribute("aria-labelledby");

  for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea")) if (!named(e)) flaws.push("no label: " + what(e));
  for (const e of document.querySelectorAll("a, button, summary, legend, th")) if (!e.textContent.trim() && !named(e) && !e.querySelector("img[alt]:not([alt=''])")) flaws.push("no text: " + what(e));
  for (const e of document.querySelectorAll("img:not([alt])")) flaws.push("no alternative text: " + e.src);
  for (const e of document.querySelectorAll("[aria-describedby], [aria-labelledby]"))
    for (const id of ((e.getAttribute("aria-describedby") || "") + " " + (e.getAttribute("aria-labelledby") || "")).split(" "))
      if (id && !document.getElementById(id)) flaws.push("points to nothing: " + what(e));
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) flaws.push("the id is there twice: " + id);
  if (document.querySelectorAll("h1").length !== 1) flaws.push("not one h1");
  if (document.querySelectorAll("main").length !== 1) flaws.push("not one main");
  if (!document.documentElement.lang) flaws.push("no language");
  if (document.querySelector("[style], script:not([src]), [onclick]")) flaws.push("something inline");
  if (document.documentElement.scrollWidth > innerWidth) flaws.push(`${document.documentElement.scrollWidth} pixels wide`);

  const rgb = (s) => (s.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0.99) return c;
    }
    return [255, 255, 255];
  };
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own && !e.value || !seen(e) || e.closest("svg, option, .hidden")) continue;
    const style = getComputedStyle(e);
    const [a, b] = [light(rgb(style.color)), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) flaws.push(`contrast ${ratio.toFixed(2)}: ` + what(e));
  }
  return flaws;
})()
