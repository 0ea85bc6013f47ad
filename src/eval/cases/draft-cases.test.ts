import { describe, expect, it } from 'vitest';
import { createToolIndex } from '../../index/tool-index.ts';
import type { EvaluationTool } from '../types.ts';
import { draftCases } from './draft-cases.ts';
import { labelCases, orderedChoices } from './label-cases.ts';
import type { LabelAnswer, LabelledCase } from './label-cases.ts';
import type { RecordedTurn } from './recorded-conversation.ts';

const tool = (id: string, name: string, server?: string): EvaluationTool => ({
  id,
  tokens: 1,
  definition: {
    name,
    description: `About ${name}`,
    inputSchema: { type: 'object' },
    ...(server === undefined ? {} : { server: { name: server, identity: server } }),
  },
});
const tools = [tool('m', 'send_mail', 'office'), tool('w', 'get_weather'), tool('t', 'get_time'), tool('T', 'getTime')];
const user = (text: string): RecordedTurn => ({ role: 'user', text, calls: [] });
const model = (text: string, ...calls: string[]): RecordedTurn => ({ role: 'assistant', text, calls });

describe('draftCases', () => {
  it('makes one draft for each question, with the texts before it', () => {
    const drafts = draftCases(
      [
        {
          turns: [
            user('weather?'),
            model('', 'get_weather'),
            model('sunny'),
            user('mail it'),
            model('', 'office__send_mail', 'gone'),
            user('thanks'),
            model('welcome'),
          ],
        },
      ],
      tools,
    );
    expect(drafts.map(({ called, unknown }) => [called, unknown])).toEqual([
      [['w'], []],
      [['m'], ['gone']],
      [[], []],
    ]);
    expect(drafts[1]?.messages).toEqual([
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: 'sunny' },
      { role: 'user', content: 'mail it' },
    ]);
  });

  it('counts user messages in a row as one question', () => {
    const drafts = draftCases([{ turns: [user('hello'), user('weather?'), model('', 'w')] }], tools);
    expect(drafts).toHaveLength(1);
    expect(drafts[0]).toMatchObject({ called: ['w'], messages: [{ content: 'hello' }, { content: 'weather?' }] });
  });

  it('gives the same conversation the same id, once', () => {
    const conversation = { turns: [user('weather?'), model('', 'get_weather')] };
    const drafts = draftCases([conversation, conversation], tools);
    expect(drafts).toHaveLength(1);
    expect(drafts[0]?.id).toMatch(/^recorded-[0-9a-f]{16}$/);
    expect(draftCases([conversation], tools)[0]?.id).toBe(drafts[0]?.id);
  });

  it('does not guess between tools that a loose name could mean', () => {
    const called = (name: string) => draftCases([{ turns: [user('x'), model('', name)] }], tools)[0]?.called;
    expect(called('get_time')).toEqual(['t']);
    expect(called('getTime')).toEqual(['T']);
    expect(called('GET-TIME')).toEqual([]);
    expect(called('Get-Weather')).toEqual(['w']);
  });
});

describe('labelCases', () => {
  const index = createToolIndex();
  index.set(tools.map(({ definition }) => definition));
  const drafts = draftCases(
    [
      {
        turns: [
          user('weather?'),
          model('', 'w'),
          user('mail it'),
          model('', 'm'),
          user('thanks'),
          model('ok'),
          user('time?'),
          model('', 't'),
        ],
      },
    ],
    tools,
  );

  async function label(answers: readonly LabelAnswer[], known: ReadonlySet<string> = new Set()) {
    const saved: LabelledCase[] = [];
    const asked: string[] = [];
    const left = [...answers];
    const summary = await labelCases(
      drafts,
      tools,
      index,
      known,
      (question) => {
        asked.push(`${question.number}/${question.total} ${question.marked.join()}`);
        return Promise.resolve(left.shift() ?? 'stop');
      },
      (labelled) => {
        saved.push(labelled);
        return Promise.resolve();
      },
    );
    return { saved, asked, summary };
  }

  it('saves answers in the form of the data, an empty one as nothing fits', async () => {
    const { saved, asked, summary } = await label([
      { relevant: ['w'] },
      'skip',
      { relevant: [] },
      { relevant: ['t', 'T'] },
    ]);
    expect(asked).toEqual(['1/4 w', '2/4 m', '3/4 ', '4/4 t']);
    expect(saved.map(({ relevant, irrelevant }) => [relevant, irrelevant])).toEqual([
      [['w'], undefined],
      [[], true],
      [['t', 'T'], undefined],
    ]);
    expect(summary).toEqual({ labelled: 3, skipped: 1, known: 0, stopped: false });
  });

  it('keeps what was answered before a stop, and goes on from there', async () => {
    const first = await label([{ relevant: ['w'] }]);
    expect(first.summary).toEqual({ labelled: 1, skipped: 0, known: 0, stopped: true });
    const second = await label([{ relevant: ['m'] }], new Set(first.saved.map(({ id }) => id)));
    expect(second.asked[0]).toBe('1/3 m');
    expect(second.summary.known).toBe(1);
  });

  it('offers called tools first, then what matches, then all others', () => {
    const draft = {
      ...(drafts[0] as NonNullable<(typeof drafts)[0]>),
      called: ['T'],
      messages: [{ role: 'user', content: 'send a mail' }],
    };
    expect(orderedChoices(draft, tools, index).map(({ id }) => id)).toEqual(['T', 'm', 'w', 't']);
  });
});
