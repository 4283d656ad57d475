// Lists what is wrong with the page for people: what axe finds, and what the house asks for beyond that. axe is there already.
(async (rules) => {
  scrollTo(0, 0); // nothing lies below the bar at the top
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished)); // colours that change cannot be measured
  const flaws = [];
  const what = (e) => `<${e.tagName.toLowerCase()} ${e.id || e.name || e.className || ""}> ${(e.textContent || "").trim().slice(0, 40)}`;
  for (const e of document.querySelectorAll("[aria-describedby], [aria-labelledby]"))
    for (const id of ((e.getAttribute("aria-describedby") || "") + " " + (e.getAttribute("aria-labelledby") || "")).split(" "))
      if (id && !document.getElementById(id)) flaws.push("points to nothing: " + what(e));
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) flaws.push("the id is there twice: " + id);
  for (const e of document.querySelectorAll("[role=status], [aria-live]")) // readers of screens hear what changes in a place that is there before
    if (!e.checkVisibility({ visibilityProperty: true }) && !e.closest(".pane")) flaws.push("hidden, so nobody hears it: " + what(e));
  if (document.querySelectorAll("h1").length !== 1) flaws.push("not one h1");
  if (document.querySelector("[style], script:not([src]), [onclick]")) flaws.push("something inline");
  const primary = [...document.querySelectorAll("main .primary")].filter((e) => e.checkVisibility() && !e.closest(".pop") && getComputedStyle(e).backgroundColor !== "rgba(0, 0, 0, 0)");
  if (primary.length > 1 && !location.pathname.endsWith("/styleguide")) flaws.push("more than one primary action: " + primary.map(what).join(", "));
  if (document.documentElement.scrollWidth > innerWidth) flaws.push(`${document.documentElement.scrollWidth} pixels wide`);

  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const bars = document.querySelectorAll(".floating, .floating [open] > .pop, .editing .submit"); // nor below those that stay at the bottom while one scrolls, and their menu
  for (const bar of bars) bar.style.position = "static";
  const { violations } = await axe.run(document, { resultTypes: ["violations"], runOnly: rules || tags, iframes: false }); // a frame shows another site
  for (const bar of bars) bar.removeAttribute("style");
  for (const { id, help, nodes } of violations)
    for (const node of nodes) flaws.push(`axe ${id}: ${help}: ${node.html.slice(0, 160)} ${node.any.map((check) => check.message).join("; ").slice(0, 200)}`);
  return flaws;
})
