import { expect, test } from 'vitest';
import { lastWords } from './last-words.ts';

const trace = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at new NodeError (node:internal/errors:405:5)
    at node:internal/main/run_main_module:36:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.21.0
`;

test.each([
  ['a stack trace of Node', trace, "Error: Cannot find module '/srv/server.js'"],
  ['a Python traceback', 'Traceback (most recent call last):\n  File "x"\nKeyError: 1\n', 'KeyError: 1'],
  ['a shell', 'sh: 1: no-such: not found\r\nbye\r\n', 'sh: 1: no-such: not found'],
  ['the last error of two', 'Error: first\nerror: second\n', 'error: second'],
  ['no error', 'starting\nno key given\n\n', 'no key given'],
  ['nothing', ' \n\n', ''],
])('takes the line that says why: %s', (_, text, line) => {
  expect(lastWords(text)).toBe(line);
});

test('keeps the start of a long line', () => {
  expect(lastWords(`Error: ${'x'.repeat(1_000)}`)).toBe(`Error: ${'x'.repeat(393)}…`);
});
