import { expect, test } from 'vitest';
import { invalidArgumentsOutcome } from './outcomes.ts';

test('what is wrong with arguments is one list with one full stop', () => {
  const issues = [
    { path: '/content', message: 'Expected string, got 3.' },
    { path: '', message: 'too many' },
  ];
  expect(invalidArgumentsOutcome({ key: '0.a', toolCallId: 'a', toolName: 't' }, issues)).toMatchObject({
    status: 'invalid',
    result: {
      content: [
        {
          type: 'text',
          text: 'Not executed. The arguments of t do not fit its schema: /content: Expected string, got 3; arguments: too many. Correct them and call again.',
        },
      ],
    },
  });
});
