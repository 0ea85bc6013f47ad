// The experiment "same approval delivered twice": how often the tool ran, with each framework bare and with toolgate. Checks itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as aiSdk from './ai-sdk.mjs';
import * as langchain from './langchain.mjs';
import * as mastra from './mastra.mjs';
import * as openaiAgents from './openai-agents.mjs';

const require = createRequire(import.meta.url);
const versionOf = (name) => {
  const entry = require.resolve(name);
  const folder = entry.slice(0, entry.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length);
  return JSON.parse(readFileSync(join(folder || dirname(entry), 'package.json'), 'utf8')).version;
};
const experiments = [
  ['ai', versionOf('ai6'), 'one after the other', (gated) => aiSdk.experiment('ai6', 'v3', gated)],
  ['ai', versionOf('ai'), 'one after the other', (gated) => aiSdk.experiment('ai', 'v4', gated)],
  ['@openai/agents', versionOf('@openai/agents'), 'one after the other', (gated) => openaiAgents.experiment(gated)],
  ['langchain', versionOf('langchain'), 'at once', (gated) => langchain.experiment(gated)],
  ['@mastra/core', versionOf('@mastra/core'), 'at once', (gated) => mastra.experiment(gated)],
];

console.log('The same approval delivered twice: how often the tool ran');
for (const [name, version, how, experiment] of experiments) {
  const bare = await experiment(false);
  const gated = await experiment(true);
  console.log(`${`${name} ${version}`.padEnd(24)} ${how.padEnd(20)} bare ${bare}   with toolgate ${gated}`);
  assert.equal(bare, 2, `${name} bare: what this example is about`);
  assert.equal(gated, 1, `${name} with toolgate`);
}
process.exit(0);
