// A page about work under way is asked for again until it is finished.

const main = document.querySelector("main");
let shown;

async function poll() {
  const next = await pageAt(location.href, undefined, true);
  const text = next?.documentElement.innerHTML;
  const polls = !next || next.querySelector("main[data-poll]");
  if (next && text !== shown) {
    const focus = main.contains(document.activeElement) && document.activeElement;
    main.replaceChildren(...next.querySelector("main").childNodes);
    document.title = next.title;
    if (focus) ([...main.querySelectorAll(focus.localName)].find((e) => e.textContent === focus.textContent) || main).focus();
    if (!polls) announce([main.querySelector("h1"), main.querySelector("dd")].map((e) => e?.innerText).join(": "));
  }
  shown = text;
  if (polls) setTimeout(poll, 1000);
}

setTimeout(poll, 300);
