// Reads an answer of the API. Prints it without marks, as @vercel/stega and as the module of the
// argument make it, and the marks that @vercel/stega finds, by JSON pointer. STEGA names the folder
// where that package is installed.
const { createRequire } = require('node:module');
const fs = require('node:fs');

const { vercelStegaClean, vercelStegaDecodeAll } = createRequire(process.env.STEGA + '/')('@vercel/stega');

const marks = {};
const look = (value, pointer) => {
  if (typeof value === 'string') {
    const found = vercelStegaDecodeAll(value) ?? [];
    if (found.length > 0) marks[pointer] = found;
  } else if (value && typeof value === 'object') {
    for (const [key, inside] of Object.entries(value)) look(inside, `${pointer}/${key}`);
  }
};

const sent = fs.readFileSync(0, 'utf8');
const answer = JSON.parse(sent);
look(answer, '');
import(process.argv[2]).then(({ plain }) => {
  const unmarked = JSON.parse(sent, (_, value) => (typeof value === 'string' ? plain(value) : value));
  console.log(JSON.stringify({ clean: vercelStegaClean(answer), plain: unmarked, marks }));
});
