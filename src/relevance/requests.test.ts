import { expect, test } from 'vitest';
import { countActions, splitRequests } from './requests.ts';

test.each([
  ['Find a hotel in Rome and book it', ['Find a hotel in Rome', 'book it']],
  [
    'Calculate the tip, create an invoice, then encrypt the id',
    ['Calculate the tip', 'create an invoice', 'encrypt the id'],
  ],
  ['Translate the text and I want to send it', ['Translate the text', 'I want to send it']],
  ['Show the weather. Is it cold?', ['Show the weather', 'Is it cold']],
  ['見せて。送って。', ['見せて', '送って']],
])('%s', (text, parts) => {
  expect(splitRequests(text).map((part) => part.trim())).toEqual(parts);
});

test.each([
  'a room with a bed and breakfast',
  'bread and butter',
  'the search and the sending of mail',
  'round 3.14 to 1.5 digits',
])('%s is one request', (text) => {
  expect(splitRequests(text)).toEqual([text]);
});

test('nothing and punctuation give no request', () => {
  expect(splitRequests('')).toEqual([]);
  expect(splitRequests('... !!!\n\n?')).toEqual([]);
});

test.each([
  ['', 0],
  ['the weather', 0],
  ['Find a hotel and book it', 2],
  ['Could you please send this to Ann, then show me the list?', 2],
])('actions of "%s": %i', (text, count) => {
  expect(countActions(text)).toBe(count);
});
