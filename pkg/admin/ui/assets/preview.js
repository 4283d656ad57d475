// For sites that show previews: <script src="https://<cms>/assets/preview.js" defer></script>
// An element with data-cms="<model>/<id>#<field>" opens its field: in the edit page that frames the site, else in a new tab.
// The frame talks to the origin that this script came from, and to no other.
(() => {
  'use strict';
  const origin = new URL(document.currentScript.src).origin;
  const framed = window.parent !== window;
  const form = /^([a-z0-9][a-z0-9-]*)\/([0-9a-f-]{36})(?:#([A-Za-z0-9_.-]+))?$/;
  const target = (element) => form.exec(element.getAttribute('data-cms') || '');

  const style = document.createElement('style');
  style.textContent = '[data-cms]:hover,[data-cms]:focus{outline:2px solid #2563eb;outline-offset:2px;cursor:pointer}';
  document.head.append(style);

  const open = ([, model, id, field = '']) => {
    if (framed) {
      window.parent.postMessage({ cms: 'open', model, id, field }, origin);
      return;
    }
    window.open(`${origin}/admin/models/${model}/entries/${id}/edit${field && '#' + field}`, '_blank', 'noopener');
  };

  // The innermost element that names a field counts. With Ctrl, Shift or Meta a click does what it does on the site.
  const pick = (event) => {
    if (event.ctrlKey || event.shiftKey || event.metaKey || event.altKey) return;
    if (event.type === 'keydown' && event.key !== 'Enter') return;
    const element = event.target.closest && event.target.closest('[data-cms]');
    const found = element && target(element);
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    open(found);
  };
  document.addEventListener('click', pick, true);
  document.addEventListener('keydown', pick, true);

  if (!framed) return;
  window.addEventListener('message', (event) => {
    if (event.origin !== origin || event.source !== window.parent || !event.data) return;
    if (event.data.cms === 'refresh') window.location.reload();
  });
  window.parent.postMessage({ cms: 'ready' }, origin);
})();
