// Elements and text. Content never becomes HTML: it is always set as text.

// el makes an element with attributes and children; what is null or false is left out.
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

// picture shows a media object in the width that fits the screen. In previews, place is where it is edited: <model>/<id>#<field>.
export function picture(media, sizes, place) {
  if (!media?.url) return null;
  const { url, alt, width, height, srcset } = media;
  const responsive = srcset ? { srcset, sizes } : {};
  return el('img', { src: url, ...responsive, alt: alt || '', width, height, loading: 'lazy', 'data-cms': place });
}

// markdown renders the part of Markdown that the content of this site uses.
export function markdown(text) {
  return text.trim().split(/\n\s*\n/).map((block) => {
    const lines = block.split('\n');
    const image = /^!\[([^\]]*)\]\((\S+?)\)\W*$/.exec(block); // a preview marks texts at their end
    if (image) return picture({ url: image[2], alt: image[1] });
    const heading = /^(##|###) /.exec(block);
    if (heading) return el(`h${heading[1].length}`, {}, inline(block.slice(heading[0].length)));
    if (block.startsWith('> ')) return el('blockquote', {}, inline(lines.map((line) => line.replace(/^> ?/, '')).join(' ')));
    const item = /^(\d+\.|-) /;
    if (item.test(block)) return el(block.startsWith('-') ? 'ul' : 'ol', {}, lines.map((line) => el('li', {}, inline(line.replace(item, '')))));
    return el('p', {}, inline(lines.join(' ')));
  });
}

// inline renders emphasis. Of a link it keeps the text: the pages that it leads to are not part of this site.
function inline(text) {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split(/(\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) =>
    part.startsWith('**') && part.length > 4 ? el('strong', {}, part.slice(2, -2)) : part.length > 2 && part.startsWith('*') && part.endsWith('*') ? el('em', {}, part.slice(1, -1)) : part);
}
