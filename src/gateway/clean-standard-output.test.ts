import process from 'node:process';
import { expect, test, vi } from 'vitest';
import { cleanStandardOutput } from './clean-standard-output.ts';

test('what libraries write to the console goes to standard error', () => {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const error = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const before = globalThis.console;
  const restore = cleanStandardOutput();
  console.log('one');
  console.info('two');
  console.debug('three');
  restore();
  const written = error.mock.calls.map(([text]) => String(text).trim());
  const leaked = out.mock.calls.length;
  vi.restoreAllMocks();
  expect(globalThis.console).toBe(before);
  expect(written).toEqual(['one', 'two', 'three']);
  expect(leaked).toBe(0);
});
