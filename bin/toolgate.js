#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`toolgate needs Node.js 22.13 or newer; this is ${process.versions.node}.\n`);
  process.exit(2);
}
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
