// For sites that show previews: <script src="https://<cms>/assets/preview.js" defer></script>
// A text with an invisible mark (source=stega), and an element with data-cms="<model>/<id>#<field>", opens its field: in the edit page
// that frames the site or opened its window, else in a new tab. There, texts are typed in place, and blocks have buttons and keys.
// Phones without an edit page show the site as it is. The script acts on marks of its own origin only.
(() => {
  'use strict';
  const origin = new URL(document.currentScript.src).origin;
  const framed = window.parent !== window;
  const peer = framed ? window.parent : window.opener; // the edit page
  const digits = '\u200b\u200c\u200d\ufeff';
  const start = digits[0].repeat(4);
  const runs = new RegExp(`[${digits}]{4,}`, 'g');
  const entry = /^\/admin\/models\/([a-z0-9][a-z0-9-]*)\/entries\/([0-9a-f-]{36})\/edit#([\w.-]+)$/;
  const named = /^([a-z0-9][a-z0-9-]*)\/([0-9a-f-]{36})(?:#([A-Za-z0-9_.-]+))?$/;

  // plain returns a text without its marks.
  const plain = (text) => text.replace(runs, (run) => (run.startsWith(start) ? '' : run));
  window.cms = { ...window.cms, plain };
  if (!peer && matchMedia('(pointer: coarse)').matches) return;

  // placeOf returns where the first mark of a text leads, null for none of this origin.
  const placeOf = (text) => {
    const run = (text.match(runs) || []).find((r) => r.startsWith(start));
    if (!run) return null;
    let json = '';
    for (let i = 4; i + 4 <= run.length; i += 4) json += String.fromCharCode([...run.slice(i, i + 4)].reduce((n, c) => n * 4 + digits.indexOf(c), 0));
    try {
      const href = new URL(JSON.parse(json).href);
      if (href.origin !== origin) return null;
      const at = entry.exec(href.pathname + href.hash);
      if (at) return { model: at[1], id: at[2], field: at[3], href: href.href };
      return href.pathname.startsWith('/admin/media/') ? { field: 'alt', href: href.href } : null;
    } catch {
      return null;
    }
  };

  const places = new WeakMap(); // of elements
  const mark = (element, place) => {
    if (!place || !element) return;
    places.set(element, place);
    element.dataset.cmsField = place.field || '';
    if (element.tabIndex < 0) element.tabIndex = 0;
  };
  // forget takes the place from an element in which a framework shows another page, without a mark or a name.
  const forget = (e) => {
    const place = places.get(e);
    if (!place || place.typed || e.dataset.cms || [e.alt, ...[...e.childNodes].map((n) => n.data)].some((text) => text?.includes(start))) return;
    places.delete(e);
    delete e.dataset.cmsField;
    e.removeAttribute('tabindex');
  };

  // scan finds what can be edited in a part of the page.
  const scan = (root) => {
    if (root.nodeType === Node.TEXT_NODE) {
      if (root.data.includes(start) && !root.parentElement.matches('script, style, title')) mark(root.parentElement, placeOf(root.data));
      return;
    }
    if (!root.querySelectorAll) return;
    for (const e of [root, ...root.querySelectorAll('[data-cms], img[alt]')]) {
      const [, model, id, field = ''] = named.exec(e.dataset?.cms || '') || [];
      if (model) mark(e, { model, id, field, href: `${origin}/admin/models/${model}/entries/${id}/edit${field && '#' + field}` });
      if (e.alt && !e.closest('[data-cms]')) mark(e, placeOf(e.alt));
    }
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) scan(texts.currentNode);
  };

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`[data-cms-field]:is(:hover, :focus-visible) { outline: 2px solid #2563eb; outline-offset: 2px; cursor: pointer; }
    [data-cms-field]:is(:hover, :focus-visible)::after { content: attr(data-cms-field); position: absolute; z-index: 99; padding: 0 4px; font: 12px/1.5 sans-serif; color: #fff; background: #2563eb; }
    [data-cms-field=""]::after { display: none; }
    [data-cms-field]:not(img) { min-height: 24px; }
    [data-cms-field][contenteditable] { white-space: pre-wrap !important; text-transform: none !important; }
    #cms-block { position: absolute; z-index: 100; background: #fff; border: 1px solid #2563eb; } #cms-block button { margin: 2px; font: 12px/1.5 sans-serif; }`);
  const spot = new CSSStyleSheet(); // where the buttons of a block are
  document.adoptedStyleSheets.push(sheet, spot);

  let typed = null; // the element that is typed into
  let fields = {}; // what may be typed, by its length, and blocks
  let aim = ''; // a block that was moved, and gets the focus again
  let returning = false; // the focus returns to it, and the buttons stay where the pointer called them

  const send = (message) => peer.postMessage(message, origin);
  // turn shows the edit page, too.
  const turn = (message) => {
    send(message);
    if (!framed) peer.focus();
  };
  const open = ({ model, id, field, href }, picture) => {
    if (model && (framed || (fields.id === id && !peer.closed))) turn({ cms: 'open', model, id, field, picture });
    else window.open(href, '_blank', 'noopener');
  };

  let stale = false; // a refresh waits
  let soon = 0; // opens a field, unless a second click begins to type

  const isTypable = (element, { model, id, field }) =>
    !typed && model === fields.model && id === fields.id && fields.sizes[field] === plain(element.textContent).trim().length && !element.children.length;

  const type = (element, place) => {
    const { model, id, field } = place;
    place.typed = typed = element; // its text has no mark from now on
    const text = (element.textContent = plain(element.textContent).trim());
    element.contentEditable = 'plaintext-only';
    element.focus();
    const say = () => send({ cms: 'patch', model, id, field, value: plain(element.innerText).replace(/\n$/, '') });
    element.oninput = say;
    element.onblur = () => {
      element.contentEditable = 'inherit';
      element.oninput = element.onblur = element.onkeydown = typed = null;
      if (stale) window.location.reload();
    };
    element.onkeydown = (event) => {
      const stops = event.key === 'Escape';
      if (event.isComposing || (!stops && (event.key !== 'Enter' || fields.lines.includes(field)))) return;
      if (stops) {
        element.textContent = text;
        say();
      }
      event.preventDefault();
      element.blur();
    };
  };

  // rowOf returns the innermost block of a place that the edit page can change, such as data.blocks.0.
  const rowOf = ({ model, id, field }) => {
    if (model !== fields.model || id !== fields.id) return '';
    return (fields.rows || []).filter((row) => `${field}.`.startsWith(`${row}.`)).sort((a, b) => b.length - a.length)[0] || '';
  };
  // blockOf finds the innermost block that an element is in, and the outermost element of that block.
  const blockOf = (element) => {
    let row = '', block;
    for (let e = element.closest?.('[data-cms-field]'); e; e = e.parentElement?.closest('[data-cms-field]')) {
      const own = rowOf(places.get(e));
      row = row || own;
      if (row && own === row) block = e;
    }
    return { row, block };
  };
  const settle = () => {
    const block = aim && [...document.querySelectorAll('[data-cms-field]')].find((e) => rowOf(places.get(e)) === aim);
    if (!block) return;
    aim = '';
    returning = !bar.hidden;
    block.focus();
    returning = false;
  };
  const change = (row, act) => (act === 'above' || act === 'below' ? turn : send)({ cms: 'block', model: fields.model, id: fields.id, field: row, act });

  const bar = document.createElement('div');
  bar.id = 'cms-block';
  bar.role = 'toolbar';
  bar.ariaLabel = 'Block';
  bar.hidden = true;
  for (const [act, text] of Object.entries({ above: 'Above', below: 'Below', up: 'Move up', down: 'Move down', remove: 'Remove' })) {
    const b = document.createElement('button');
    b.textContent = text;
    b.onclick = () => change(bar.row, act);
    bar.append(b);
  }

  // near shows the buttons of the block under the pointer or with the focus.
  const near = ({ target }) => {
    if (returning || bar.contains(target)) return;
    const { row, block } = blockOf(target);
    bar.row = row;
    bar.hidden = !row;
    if (!row) return;
    // They stay while the pointer goes to them.
    const box = block.getBoundingClientRect();
    spot.replaceSync(`#cms-block { left: ${box.left + window.scrollX}px; top: ${Math.min(box.bottom - 2, window.innerHeight - 32) + window.scrollY}px; }`);
    document.body.append(bar);
  };

  // The innermost element with a field counts. With Ctrl, Shift, Alt or Meta, a click acts as on the site.
  const act = (event) => {
    const verb = event.altKey && { ArrowUp: 'up', ArrowDown: 'down', Insert: event.shiftKey ? 'above' : 'below', Delete: 'remove' }[event.key];
    const { row } = (verb && !typed && blockOf(event.target)) || {};
    if (row) {
      event.preventDefault();
      change(row, verb);
      return;
    }
    if (event.ctrlKey || event.shiftKey || event.metaKey || event.altKey) return;
    if (event.type === 'keydown' && event.key !== 'Enter' && event.key !== 'F2') return;
    const element = event.target.closest?.('[data-cms-field]');
    const place = element && places.get(element);
    if (!place || typed === element) return;
    event.preventDefault();
    event.stopPropagation();
    const typable = isTypable(element, place);
    clearTimeout(soon);
    if (event.type === 'dblclick' || event.key === 'F2') {
      if (typable) type(element, place);
    } else if (typable && event.type === 'click') soon = setTimeout(open, 300, place);
    else open(place, element.matches('img, picture, video') || Boolean(element.querySelector('img')));
  };
  for (const kind of ['click', 'dblclick', 'keydown']) document.addEventListener(kind, act, true);

  // Frameworks compare the page with what they would draw, so it stays as it came until they have.
  const watch = () => {
    scan(document.documentElement);
    settle();
    new MutationObserver((changes) => {
      for (const change of changes) {
        if (change.type === 'childList') change.addedNodes.forEach(scan);
        else if (change.target !== typed) scan(change.target);
        forget(change.type === 'characterData' ? change.target.parentElement : change.target);
      }
      settle();
    }).observe(document.documentElement, { childList: true, subtree: true, characterData: true, attributeFilter: ['alt', 'data-cms'] });
  };
  const whenIdle = () => (window.requestIdleCallback ?? setTimeout)(watch, { timeout: 500 });
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle);

  if (!peer) return;
  window.addEventListener('message', ({ origin: from, source, data }) => {
    if (from !== origin || source !== peer || !data) return;
    if (data.cms === 'fields') {
      fields = data;
      aim = data.focus || aim;
      settle();
    }
    if (data.cms !== 'refresh') return;
    if (typed) stale = true;
    else window.location.reload();
  });
  for (const kind of ['pointerover', 'focusin']) document.addEventListener(kind, near);
  window.addEventListener('beforeunload', () => send({ cms: 'gone' }));
  send({ cms: 'ready' });
})();
