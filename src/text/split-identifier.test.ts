import { describe, expect, it } from 'vitest';
import { splitIdentifier } from './split-identifier.ts';

describe('splitIdentifier', () => {
  it.each([
    ['addContact', ['add', 'Contact']],
    ['getDealHTTPLog', ['get', 'Deal', 'HTTP', 'Log']],
    ['HTTPServer', ['HTTP', 'Server']],
    ['base64Encode', ['base64', 'Encode']],
    ['getS3Object', ['get', 'S3', 'Object']],
    ['listURLs', ['list', 'URLs']],
    ['IDs', ['IDs']],
    ['word', ['word']],
    ['X', ['X']],
    ['', ['']],
    ['ÉtatCivil', ['État', 'Civil']],
    ['получитьДанные', ['получить', 'Данные']],
  ])('%s', (run, parts) => {
    expect(splitIdentifier(run)).toEqual(parts);
  });
});
