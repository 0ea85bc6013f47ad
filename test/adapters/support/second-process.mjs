// Another process with the same database: goes on with a history that was approved elsewhere, and prints what its tool ran.
import { readFileSync } from 'node:fs';
import { sqliteStore } from 'toolgate/sqlite';
import { aiSdk } from 'toolgate/ai-sdk';
import { scriptedModel } from 'toolgate/testing';

const [sdk, database, historyFile] = process.argv.slice(2);
const ai = await import(sdk);
const ran = [];
const store = sqliteStore({ path: database });
const tools = {
  refund: ai.tool({
    description: 'Pays money back.',
    inputSchema: ai.jsonSchema({ type: 'object', properties: { to: { type: 'string' } } }),
    execute: async ({ to }) => {
      ran.push(to);
      return `paid ${to}`;
    },
  }),
};
const g = aiSdk({ tools, store, confirm: { policy: { refund: true } } });
const { messages } = await g.withDecisions(JSON.parse(readFileSync(historyFile, 'utf8')), { conversation: 'c' });
const model = scriptedModel([{ text: 'done' }], { specificationVersion: sdk === 'ai6' ? 'v3' : 'v4' });
const { text } = await ai.generateText({ model, ...g.forTurn({ conversation: 'c', messages }) });
process.stdout.write(JSON.stringify({ ran, text, prompt: model.requests[0].prompt }));
await store.close();
