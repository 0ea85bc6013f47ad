import { expect, test } from 'vitest';
import { readNeedSignals } from './need-signals.ts';

const read = (last: string, previous?: string) =>
  readNeedSignals({ last, before: previous === undefined ? [] : [{ role: 'assistant', text: previous }] });

test('thanks and the end of a conversation', () => {
  expect(read('No thanks, that\u2019s all. Bye!', 'Anything else I can do?')).toEqual({
    thanks: 1,
    farewell: 1,
    finished: 1,
    agrees: 0,
    declines: 1,
    asks: 0,
    offeredMore: 1,
    askedToConfirm: 0,
    askedForDetail: 0,
  });
});

test('a yes to a question of the assistant', () => {
  const signals = read('Yes, please do.', 'A table for two at seven. Shall I go ahead?');
  expect(signals).toMatchObject({ agrees: 1, askedToConfirm: 1, finished: 0, thanks: 0 });
});

test('a detail that was asked for', () => {
  expect(read('Berlin', 'Which city?')).toMatchObject({ askedForDetail: 1, asks: 0, agrees: 0 });
});

test('a request', () => {
  expect(read('Could you find a flight to Rome')).toMatchObject({ asks: 1, finished: 0 });
});
