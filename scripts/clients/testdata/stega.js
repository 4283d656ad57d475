// Reads an answer of the API, and prints it without marks, and the marks by JSON pointer, as sites
// find them with @vercel/stega. STEGA names the folder of that package's node_modules.
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

const answer = JSON.parse(fs.readFileSync(0, 'utf8'));
look(answer, '');
console.log(JSON.stringify({ clean: vercelStegaClean(answer), marks }));
