#!/usr/bin/env node
// Runs the program in the package for this platform, which npm installs as an optional dependency.
const { spawn } = require("node:child_process");

const name = `headless-cms-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/${process.platform === "win32" ? "cms.exe" : "cms"}`);
} catch {
  console.error(`cms: the package ${name} is not installed. Install again with optional dependencies.`);
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
process.on("SIGINT", () => {}); // the terminal sends it to the program too
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`cms: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code) => { process.exitCode = code ?? 1; });
