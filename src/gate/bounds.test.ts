import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../catalog/catalogue-of.ts';
import { tool } from '../schema/define-tool.ts';
import { createToolGate } from './create-tool-gate.ts';
import { KnownNames } from './known-names.ts';
import { SessionTable } from './session.ts';

const make = (name: string) => tool({ name, input: { type: 'object' }, execute: () => name });
const selection = { key: 'k', report: {} as never };

describe('what a gate remembers', () => {
  it('is as many conversations as it may, the latest ones', () => {
    const table = new SessionTable(3);
    const first = table.of('0', undefined);
    for (let index = 1; index < 10_000; index += 1) table.of(String(index), { id: String(index % 7) });
    expect(table.size).toBe(3);
    expect(table.of('0', undefined)).not.toBe(first);
  });

  it('is the selection of the 256 conversations used last', () => {
    const table = new SessionTable(1000);
    const sessions = Array.from({ length: 300 }, (_, index) => table.of(String(index), undefined));
    for (const session of sessions) table.keepSelection(session, selection);
    expect(sessions.filter((session) => session.selection !== undefined)).toEqual(sessions.slice(44));
    table.keepSelection(sessions[44] as never, selection);
    table.keepSelection(sessions[0] as never, selection);
    expect([sessions[44]?.selection, sessions[45]?.selection]).toEqual([selection, undefined]);
  });

  it('is the names of today and the latest of earlier ones, when a provider has ever new names', () => {
    const known = new KnownNames(2);
    const principal = { id: 'a' };
    const steady = make('steady');
    for (let index = 0; index <= 10_001; index += 1) known.add(catalogueOf([steady, make(`new_${index}`)]), principal);
    expect(known.has('steady', principal)).toBe(true);
    expect(known.has('new_10001', principal)).toBe(true);
    expect([known.has('new_2', principal), known.has('new_3', principal)]).toEqual([false, true]);
  });

  it('is no listener on the signal of a caller, after a thousand turns', async () => {
    const { signal } = new AbortController();
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    let listening = 0;
    signal.addEventListener = ((...given: Parameters<typeof add>) => {
      listening += 1;
      add(...given);
    }) as typeof signal.addEventListener;
    signal.removeEventListener = ((...given: Parameters<typeof remove>) => {
      listening -= 1;
      remove(...given);
    }) as typeof signal.removeEventListener;
    const tools = [make('a'), make('b')];
    const gate = createToolGate({
      providers: [{ dynamic: true, provideTools: () => tools }],
      selection: { minTools: 0, minTokens: 0 },
    });
    for (let index = 0; index < 500; index += 1) {
      const turn = await gate.turn({ messages: [{ role: 'user', content: `a ${index}` }], conversation: 'c', signal });
      await turn.refresh([{ role: 'user', content: `a ${index}` }]);
    }
    expect(listening).toBe(0);
  });
});
