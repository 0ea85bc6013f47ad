import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planShownTools } from './budget.ts';
import type { ShownToolsRequest } from './budget.ts';

const base: ShownToolsRequest = {
  shown: [
    { name: 'a', tokens: 10, usedAt: 1 },
    { name: 'b', tokens: 10, usedAt: 2 },
    { name: 'c', tokens: 10, usedAt: 1 },
  ],
  wanted: [{ name: 'd', tokens: 10, probability: 0.9 }],
  isAvailable: () => true,
  isNewUserMessage: true,
  turn: 3,
};

describe('planShownTools', () => {
  it('shows everything without a budget', () => {
    const plan = planShownTools(base);
    expect(plan.shown.map((tool) => tool.name)).toEqual(['a', 'b', 'c', 'd']);
    expect(plan).toMatchObject({ added: ['d'], evicted: [], overBudget: [], gone: [], breaksCache: false, tokens: 40 });
  });

  it('evicts the least recently used, of equals the last in the list', () => {
    const plan = planShownTools({ ...base, tokenBudget: 30 });
    expect(plan.shown.map((tool) => tool.name)).toEqual(['a', 'b', 'd']);
    expect(plan).toMatchObject({ evicted: ['c'], breaksCache: true, tokens: 30 });
    expect(planShownTools({ ...base, tokenBudget: 29 }).evicted).toEqual(['c', 'a']);
  });

  it('evicts nothing within a turn, and leaves new tools out instead', () => {
    const plan = planShownTools({ ...base, tokenBudget: 30, isNewUserMessage: false });
    expect(plan.shown.map((tool) => tool.name)).toEqual(['a', 'b', 'c']);
    expect(plan).toMatchObject({ evicted: [], overBudget: ['d'], breaksCache: false });
  });

  it('never takes out protected tools', () => {
    const wanted = base.shown.map(({ name, tokens }) => ({ name, tokens, isProtected: true }));
    const plan = planShownTools({ ...base, wanted, tokenBudget: 1 });
    expect(plan.shown.map((tool) => tool.name)).toEqual(['a', 'b', 'c']);
    expect(plan.tokens).toBe(30);
  });

  it('takes out the least probable of what is wanted now', () => {
    const wanted = [
      { name: 'x', tokens: 10, probability: 0.9 },
      { name: 'y', tokens: 10, probability: 0.6 },
      { name: 'z', tokens: 10, probability: 0.7 },
    ];
    const plan = planShownTools({ ...base, shown: [], wanted, tokenBudget: 20 });
    expect(plan.shown.map((tool) => tool.name)).toEqual(['x', 'z']);
    expect(plan.overBudget).toEqual(['y']);
  });

  it('takes out what is no longer there, at any time, and says that the cache breaks', () => {
    const plan = planShownTools({ ...base, isAvailable: (name) => name !== 'b', isNewUserMessage: false });
    expect(plan.shown.map((tool) => tool.name)).toEqual(['a', 'c', 'd']);
    expect(plan).toMatchObject({ gone: ['b'], breaksCache: true });
  });

  it('SM-13 keeps a limit on the number of tools, lowest scored out first, protected never', () => {
    const wanted = Array.from({ length: 131 }, (_, index) => ({
      name: `t${index}`,
      tokens: 1,
      probability: index / 131,
      isProtected: index < 6,
    }));
    const plan = planShownTools({ ...base, shown: [], wanted, maxTools: 128 });
    expect(plan.shown).toHaveLength(128);
    expect(plan.overBudget).toEqual(['t6', 't7', 't8']);
  });

  it('keeps its promises whatever is asked', () => {
    const name = fc.integer({ min: 0, max: 9 }).map((index) => `t${index}`);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ name, tokens: fc.nat(20), usedAt: fc.nat(5) }), { selector: (tool) => tool.name }),
        fc.uniqueArray(
          fc.record({
            name,
            tokens: fc.nat(20),
            probability: fc.double({ min: 0, max: 1 }),
            isProtected: fc.boolean(),
          }),
          {
            selector: (tool) => tool.name,
          },
        ),
        fc.boolean(),
        fc.nat(60),
        fc.nat(10),
        (shown, wanted, isNewUserMessage, tokenBudget, maxTools) => {
          const plan = planShownTools({
            shown,
            wanted,
            isAvailable: () => true,
            isNewUserMessage,
            tokenBudget,
            maxTools,
            turn: 6,
          });
          const names = plan.shown.map((tool) => tool.name);
          const old = shown.map((tool) => tool.name).filter((name) => names.includes(name));
          expect(names.slice(0, old.length)).toEqual(old);
          for (const tool of wanted) if (tool.isProtected) expect(names).toContain(tool.name);
          if (!isNewUserMessage) expect(old).toHaveLength(shown.length);
          const others = wanted.filter((tool) => tool.isProtected).map((tool) => tool.name);
          const free = plan.shown.filter((tool) => !others.includes(tool.name));
          if (isNewUserMessage && free.length > 0) {
            expect(plan.tokens <= tokenBudget && plan.shown.length <= maxTools).toBe(true);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
