// A form of the service: its schema is read from delivery, what visitors send goes to the content API.
import { read, submit } from './api.js';
import { el } from './dom.js';

const types = { email: 'email', number: 'number', date: 'date', checkbox: 'checkbox' };

function control({ name, type, required, max, options }) {
  if (type === 'textarea') return el('textarea', { name, required, maxlength: max, rows: 6 });
  if (type === 'select') return el('select', { name, required }, ['', ...options].map((option) => el('option', { value: option }, option)));
  return el('input', { name, required, type: types[type] || 'text', maxlength: type === 'text' ? max : null });
}

// field is a control with its label. A honeypot is out of sight: only programs fill it in.
function field(definition) {
  if (definition.type === 'honeypot') {
    return el('p', { class: 'trap', 'aria-hidden': 'true' }, el('input', { name: definition.name, 'aria-label': definition.name, tabindex: '-1', autocomplete: 'off' }));
  }
  return el('label', { class: 'field' }, definition.label || definition.name, control(definition),
    el('span', { class: 'error', 'data-error': definition.name, role: 'alert' }));
}

// contact shows the form "contact".
export async function contact(main) {
  const { data: form } = await read('/forms/contact');
  const element = el('form', { id: 'form' }, form.fields.map(field), el('button', {}, 'Send'));
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    element.querySelectorAll('[data-error]').forEach((note) => { note.textContent = ''; });
    const values = Object.fromEntries([...new FormData(element)].map(([name, value]) => [name, value.trim()]));
    try {
      await submit(form.slug, values);
      main.replaceChildren(el('p', { class: 'notice', role: 'status' }, form.success_message));
    } catch (error) {
      for (const note of element.querySelectorAll('[data-error]')) note.textContent = (error.details[note.dataset.error] || []).join(', ');
      if (!Object.keys(error.details).length) element.append(el('p', { class: 'error', role: 'alert' }, error.message));
    }
  });
  main.replaceChildren(el('h1', {}, form.name), element);
}
