// Started by resume-elsewhere.test.ts: a second process with the same tools and the same store, which decides and goes on.
import { appendFileSync } from 'node:fs';
import { createAssistant, inProcessMemory } from '../../src/assistant/index.ts';
import { createToolGate, tool } from '../../src/index.ts';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';

const [, , database, journal, step, pause] = process.argv as [string, string, string, string, string, string];
const schema = { type: 'object', properties: { path: { type: 'string' } } } as const;
const make = (name: string, requiresConfirmation: boolean) =>
  tool({
    name,
    input: schema,
    requiresConfirmation,
    execute: ({ path }: { path: string }) => {
      appendFileSync(journal, `${name} ${path}\n`);
      return `${name} ${path}`;
    },
  });
const store = sqliteStore({ path: database });
const gate = createToolGate({ tools: [make('read', false), make('remove', true)], store });
const script =
  step === 'pause'
    ? [
        {
          calls: [
            { toolName: 'read', input: { path: 'a' } },
            { toolName: 'remove', input: { path: 'b' } },
            { toolName: 'remove', input: { path: 'c' } },
          ],
        },
      ]
    : [{ text: 'Gone on.' }];
const assistant = createAssistant({ model: scriptedModel(script) as never, gate, memory: inProcessMemory() });
if (step === 'pause') {
  const { metadata, pause: reference, finishReason } = await assistant.send('go', { conversation: 'c' });
  console.log(JSON.stringify({ metadata, pause: reference?.id, finishReason }));
} else {
  const answers = await gate.confirmations.decide(
    pause,
    { '1.call-0-1': { type: 'approve' }, '2.call-0-2': { type: 'deny', message: 'no' } },
    { principal: { id: 'ann' } },
  );
  const response = await assistant.resume(pause);
  console.log(
    JSON.stringify({
      answers: answers.map(({ answer }) => answer),
      outcomes: response.outcomes.map(({ key, status }) => [key, status]),
      text: response.text,
    }),
  );
}
await store.close();
