import { describe, expect, it } from 'vitest';
import { interruptsOf, resumption } from './langchain-resume.ts';

const value = { type: 'toolgate', calls: [{ key: '0.a' }] };

describe('interruptsOf', () => {
  it('finds what is its own in results and states, and leaves out tasks that have ended', () => {
    expect(
      interruptsOf({
        __interrupt__: [
          { id: 'i', value },
          { id: 'j', value: 'other' },
        ],
      }),
    ).toEqual([{ id: 'i', value }]);
    const tasks = [{ interrupts: [{ id: 'i', value }], result: {} }, { interrupts: [{ id: 'k', value }] }, {}];
    expect(interruptsOf({ tasks })).toEqual([{ id: 'k', value }]);
    expect(interruptsOf({})).toEqual([]);
  });
});

describe('resumption', () => {
  it('answers each interrupt by its id', () => {
    const from = {
      __interrupt__: [
        { id: 'i', value },
        { id: 'j', value },
      ],
    };
    expect(resumption(from)).toEqual({ resume: { i: {}, j: {} } });
    const decisions = { '0.a': { type: 'approve' } } as const;
    expect(resumption(from, decisions)).toEqual({ resume: { i: { decisions }, j: { decisions } } });
  });

  it('answers as it is where interrupts have no id', () => {
    expect(resumption({ __interrupt__: [{ value }] })).toEqual({ resume: {} });
  });
});
