import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

test('hides every secret, the longer one whole, and takes nothing for a pattern', () => {
  const redact = createRedactor(['token', 'Bearer token', 'a$&b', '']);
  expect(redact('Authorization: Bearer token; token=token')).toBe('Authorization: [hidden]; [hidden]=[hidden]');
  expect(redact('a$&b')).toBe('[hidden]');
  expect(redact('nothing here')).toBe('nothing here');
  expect(createRedactor([])('x')).toBe('x');
});
