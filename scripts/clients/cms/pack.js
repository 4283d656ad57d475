// Makes the npm packages of a release. Of its archives: one with the program for each platform, and
// headless-cms, which depends on all of them and runs the one that npm has installed. Of the folders
// beside this one: those for Astro and Next.js.
//
//   node pack.js DIR OUT   DIR has the archives, OUT gets the packages
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const [dir, out] = process.argv.slice(2).map((name) => path.resolve(name));
const platforms = { linux: "linux", darwin: "darwin", windows: "win32" };
const processors = { amd64: "x64", arm64: "arm64" };
const run = (...command) => execFileSync(command[0], command.slice(1), { stdio: ["ignore", "ignore", "inherit"] });

function pack(about, fill) {
  const folder = path.join(out, about.name);
  fs.mkdirSync(folder, { recursive: true });
  fill(folder);
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ ...about, license: "MIT" }, null, 2));
  run("npm", "pack", "--silent", "--pack-destination", out, folder);
  fs.rmSync(folder, { recursive: true });
}

fs.rmSync(out, { recursive: true, force: true });
const optionalDependencies = {};
let version;
for (const archive of fs.readdirSync(dir).sort()) {
  const parts = /^cms_(.+)_(linux|darwin|windows)_(amd64|arm64)\.(tar\.gz|zip)$/.exec(archive);
  if (!parts) continue;
  version = parts[1];
  const [os, cpu] = [platforms[parts[2]], processors[parts[3]]];
  const name = `headless-cms-${os}-${cpu}`;
  optionalDependencies[name] = version;
  pack({ name, version, description: `The program cms for ${os} on ${cpu}`, os: [os], cpu: [cpu], files: ["cms*"] }, (folder) => {
    const file = path.join(dir, archive);
    if (parts[4] === "zip") run("unzip", "-q", file, "-d", folder);
    else run("tar", "-xzf", file, "-C", folder);
  });
}
if (Object.keys(optionalDependencies).length !== 6) throw new Error(`${dir} has not the archives of six platforms`);
const description = "Headless CMS that runs on localhost, and its command line";
pack({ name: "headless-cms", version, description, bin: { cms: "cms.js" }, files: ["cms.js"], optionalDependencies }, (folder) => {
  for (const file of ["cms.js", "README.md"]) fs.copyFileSync(path.join(__dirname, file), path.join(folder, file));
});

for (const framework of ["astro", "next"]) {
  const source = path.join(__dirname, "..", framework);
  const { private: _, scripts, license, ...about } = JSON.parse(fs.readFileSync(path.join(source, "package.json")));
  pack({ ...about, version }, (folder) => {
    for (const from of [source, path.join(__dirname, "..", "shared")]) {
      for (const file of fs.readdirSync(from, { withFileTypes: true })) {
        if (file.isFile()) fs.copyFileSync(path.join(from, file.name), path.join(folder, file.name));
      }
    }
  });
}
