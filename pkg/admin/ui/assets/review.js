// The page of a review shows what others do while it is open: comments and decisions at once, a newer version when the reader asks for it. So nobody
// approves what was not seen.
"use strict";

// typedIn are the fields in a part of a page whose contents nobody has sent.
const typedIn = (root) => [...root.querySelectorAll("textarea, select, input:not([type=hidden])")].filter((e) => {
  if (e.type === "checkbox") return e.checked !== e.defaultChecked;
  return e.localName === "select" ? e.selectedIndex > 0 && !e.selectedOptions[0].defaultSelected : e.value !== e.defaultValue;
});

// renew puts a newer version of a part of a page in its place. The field with the focus stays, and so do fields that hold something typed. If the newer
// version has no place for one of these, renew changes nothing and answers false.
function renew(old, next) {
  const twin = (e) => next.querySelector(e.id ? `#${CSS.escape(e.id)}` : `[name="${CSS.escape(e.name)}"][value="${CSS.escape(e.value)}"]`);
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  const typed = typedIn(old);
  const kept = new Map((active?.matches("textarea, input, select") ? [active, ...typed] : typed).map((e) => [e, twin(e)]));
  if (typed.some((e) => !kept.get(e))) return false;
  let back = active && (kept.get(active) ? active : active.closest("[id]"));
  if (back && back !== active) back = old.contains(back) ? twin(back) : null;
  for (const form of next.querySelectorAll("form.form")) stored(form, stateOf(form));
  for (const [field, place] of kept) {
    for (let fold = place?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    place?.replaceWith(field);
  }
  old.replaceWith(next);
  if (active) (back ?? next.closest("[tabindex]"))?.focus({ preventScroll: true });
  return true;
}

// Names are offered after "@" in a comment.
let mentions;
document.addEventListener("input", async ({ target }) => {
  if (target.matches("#comments [name=text]") && (mentions || target.value.includes("@"))) (mentions ??= await load("mentions"))?.offer(target);
});

{
  const decision = () => document.getElementById("decision");
  const comments = () => document.getElementById("comments");
  const news = document.getElementById("review-news");
  let offered = ""; // the state that the reader was told of and has not asked to see
  const say = (kind, ...children) => {
    news.className = kind;
    news.replaceChildren(...children);
  };

  // offer tells the reader of a state that the page does not show, and shows it at a click.
  function offer(text, next) {
    offered = next.getElementById("decision").dataset.stamp;
    for (const button of decision().querySelectorAll("form[action*='/review/'] button")) button.disabled = true;
    say("notice warn", text, " ", make("button", { type: "button", textContent: t("Show it"), onclick: () => show(next) }));
  }

  function show(next) {
    for (const part of [".entry-bar h1", "[aria-labelledby=changed]"]) document.querySelector(part).replaceWith(next.querySelector(part));
    const now = next.getElementById("decision");
    if (!renew(decision(), now)) { // a note that nobody can be sent any more becomes a comment
      const said = document.getElementById("c-text");
      const notes = typedIn(decision()).filter((e) => e.localName === "textarea");
      if (said) said.value = [said, ...notes].map((e) => e.value).filter(Boolean).join("\n\n");
      decision().replaceWith(now);
    }
    offered = "";
    say("");
    document.getElementById("changed").focus();
  }

  if (news) document.addEventListener("entry-news", async ({ detail }) => {
    const isNew = ![decision().dataset.stamp, offered].includes(detail.review);
    if (!isNew && detail.comments <= Number(comments().dataset.stamp)) return;
    const address = document.getElementById("presence").dataset.presence.replace(/presence$/, "review");
    const next = await pageAt(address, undefined, true);
    const now = next?.getElementById("decision");
    if (!now) return;
    const talk = next.getElementById("comments");
    if (talk.dataset.stamp !== comments().dataset.stamp && renew(comments(), talk) && !offered) say("", t("The comments have changed."));
    if (!isNew) return;
    if (now.dataset.saved !== decision().dataset.saved) offer(t("Somebody saved a newer version than the one that you see."), next);
    else if (renew(decision(), now)) say("", t("The review has changed."));
    else offer(t("The review has changed, and nobody asks for what you type there any more. Copy your text before you go on."), next);
  });
}
