// An example site without a server of its own: each page is read from the delivery API.
//
//   ?                       posts, newest first
//   ?post=<slug>            one post; &preview=<token> shows its draft
//   ?q=<words>              search
//   ?page=contact           a form
//   ?page=home              the page that greets visitors, made of blocks; &preview=<token> as for posts
//   &lang=<code>            in another language
//   &ahead=<token>          the whole site as it will be
import { read, Failure } from './api.js';
import { el, picture, markdown } from './dom.js';
import { contact } from './form.js';

const asked = new URLSearchParams(location.search);
const lang = asked.get('lang') || '';
const ahead = asked.get('ahead') || ''; // a preview token of the site
const main = document.getElementById('main');

// address leads to a page of this site in the same language, unless the parameters name another.
const address = (parameters) => '?' + new URLSearchParams(Object.entries({ lang, ahead, ...parameters }).filter(([, value]) => value));
const date = (text) => text && new Date(text + 'T00:00').toLocaleDateString(document.documentElement.lang, { dateStyle: 'long' });
const byline = ({ data }) => el('p', { class: 'by' }, [data.author?.title, date(data.date)].filter(Boolean).join(', '));

const fields = 'slug,title,data.date,data.author,data.image,data.teaser';
const included = { include: 'author,image', images: '320,640,1024,1280,1600' };

function card(post) {
  return el('article', { class: 'card' },
    picture(post.data.image, '(max-width: 36rem) 100vw, 16rem'),
    el('div', {}, el('h2', {}, el('a', { href: address({ post: post.slug }) }, post.title)), byline(post), el('p', {}, post.data.teaser)));
}

// bar says on top of a page what it shows of the site as it will be.
function bar({ preview }) {
  if (!preview) return [];
  const of = preview.at ? new Date(preview.at).toLocaleDateString(document.documentElement.lang, { day: 'numeric', month: 'long' }) : preview.release ? 'a release' : 'all drafts';
  return [el('p', { class: 'notice', id: 'ahead' }, `Preview of ${of} · ${preview.changes} ${preview.changes === 1 ? 'change' : 'changes'} · `, leave())];
}

// leave leads from a preview to what is published at the same address.
function leave() {
  const published = new URLSearchParams(location.search);
  for (const token of ['ahead', 'preview']) published.delete(token);
  return el('a', { href: `?${published}` }, 'leave');
}

async function list() {
  const posts = el('div', { id: 'posts' });
  const more = el('button', { id: 'more', type: 'button' }, 'Load more');
  let cursor = '';
  let notice = [];
  const load = async () => {
    const { data, meta } = await read('/posts', { locale: lang, per_page: 4, fields, cursor, preview: ahead, ...included });
    notice = bar(meta);
    posts.append(...data.map(card));
    cursor = meta.next_cursor;
    more.hidden = !cursor;
  };
  await load();
  more.addEventListener('click', () => load().catch(failed));
  main.replaceChildren(...notice, el('h1', {}, 'Posts'), posts, more);
}

async function search(words) {
  document.querySelector('#search input').value = words;
  const { data, meta } = await read('/search', { q: words, locale: lang, models: 'posts', per_page: 20 }); // searches show no previews
  main.replaceChildren(el('h1', {}, words), el('p', { class: 'by' }, `${meta.total} found`), ...data.map((hit) =>
    el('article', {}, el('h2', {}, el('a', { href: address({ post: hit.slug }) }, hit.title)), el('p', {}, hit.excerpt))));
}

async function post(slug) {
  const preview = asked.get('preview') || ahead;
  const { data: entry, meta } = await read(`/posts/${encodeURIComponent(slug)}`, { locale: lang, translations: 'true', preview, source: preview && 'stega', ...included });
  if (meta.moved_to) history.replaceState(null, '', address({ post: meta.moved_to }));
  document.title = entry.seo?.title || entry.title.replace(/[\u200b\u200c\u200d\ufeff]{4,}/g, '');
  const place = (field) => preview && `posts/${entry.id}#${field}`;
  main.replaceChildren(...notice(meta),
    el('article', {}, el('h1', {}, entry.title), byline(entry),
      picture(entry.data.image, wide, place('data.image')), el('div', { 'data-cms': place('data.body') }, markdown(entry.data.body || ''))));
  editable(preview);
  return entry;
}

const wide = '(max-width: 60rem) 100vw, 60rem';

// notice says on top of a page that it shows a draft, or the site as it will be.
const notice = (meta) => (asked.has('preview') && !ahead ? [el('p', { class: 'notice' }, 'Preview: this page shows a draft. · ', leave())] : bar(meta));

// editable lets an editor click on texts and pictures of a preview.
function editable(preview) {
  if (preview) document.head.append(el('script', { src: '/assets/preview.js' }));
}

// blocks are the parts of the home page, by their types.
const blocks = {
  text: ({ heading, text }) => [el('h2', {}, heading), ...markdown(text || '')],
  products: ({ heading, products }) => [el('h2', {}, heading), el('ul', {}, (products || []).map(({ title }) => el('li', {}, title)))],
  quote: ({ quote, source }) => [el('blockquote', {}, el('p', {}, quote), source && el('p', { class: 'by' }, source))],
};

async function home() {
  const preview = asked.get('preview') || ahead;
  const { data: entry, meta } = await read('/home', { locale: lang, preview, source: preview && 'stega', images: included.images, include: 'image,blocks.products' });
  const place = (field) => preview && `home/${entry.id}#${field}`;
  main.replaceChildren(...notice(meta), el('h1', {}, entry.data.claim), picture(entry.data.image, wide, place('data.image')),
    ...(entry.data.blocks || []).map((block, i) => el('section', { 'data-cms': place(`data.blocks.${i}`) }, blocks[block.type]?.(block))));
  editable(preview);
}

// frame fills what all pages share. A post leads to its translations, any other page to itself.
async function frame(translations) {
  const [settings, locales] = await Promise.all([read('/settings', { locale: lang }), read('/i18n/locales')]);
  const current = settings.meta.locale;
  document.documentElement.lang = current;
  const name = document.getElementById('name');
  name.textContent = settings.data.site.name;
  name.href = address({});
  for (const page of ['home', 'contact']) document.getElementById(page).href = address({ page });
  document.getElementById('languages').replaceChildren(...locales.data.map(({ code, native_name }) => {
    const same = Object.fromEntries(asked);
    delete same.preview;
    if (translations) same.post = translations.find(({ locale }) => locale === code)?.slug || '';
    return el('a', { href: address({ ...same, lang: code }), lang: code, 'aria-current': code === current && 'true' }, native_name);
  }));
  document.getElementById('search').addEventListener('submit', (event) => {
    event.preventDefault();
    location.search = address({ q: new FormData(event.target).get('q') });
  });
}

function failed(error) {
  console.warn(error);
  const previewed = ahead || asked.has('preview');
  const status = error instanceof Failure && error.status;
  const text = status === 404 ? 'There is nothing at this address.' : previewed && status === 403 ? 'This preview link has ended.' : error.message;
  main.replaceChildren(...(previewed ? [el('p', { class: 'notice' }, 'Preview · ', leave())] : []), el('p', { class: 'empty' }, text));
}

async function show() {
  if (asked.has('post')) return post(asked.get('post'));
  if (asked.has('q')) return search(asked.get('q'));
  if (asked.get('page') === 'contact') return contact(main);
  if (asked.get('page') === 'home') return home();
  return list();
}

const page = show().catch(failed);
const entry = asked.has('post') && await page;
await frame(entry?.translations).catch(failed);
await page;
document.body.dataset.ready = 'true';
