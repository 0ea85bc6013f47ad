import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../catalog/catalogue-of.ts';
import { countingTool } from '../../test/confirm/tools.ts';
import { findTool } from './find-tool.ts';
import type { ToolFinder } from './find-tool.ts';

const lookup = catalogueOf(['read', 'write', 'secret'].map((name) => countingTool(name)));
const find = async (toolName: string, finder: Partial<ToolFinder> = {}): Promise<string> => {
  const call = { key: '0.a', part: { type: 'tool-call' as const, toolCallId: 'a', toolName, input: {} } };
  const found = await findTool(call, { lookup, hidden: 'activate', ...finder });
  if (!('kind' in found)) return `tool ${found.name}`;
  return `${found.activate ?? found.kind}: ${found.outcome.result.content[0]?.text}`;
};

describe('findTool', () => {
  it('finds what is shown, and everything where nothing is said', async () => {
    expect(await find('read')).toBe('tool read');
    expect(await find('read', { shown: new Set(['read']) })).toBe('tool read');
  });

  it('answers a call of a hidden tool as it is told', async () => {
    const shown = new Set(['read']);
    expect(await find('write', { shown, hidden: 'execute' })).toBe('tool write');
    expect(await find('write', { shown, hidden: 'refuse' })).toMatch(
      /^invalid: Not executed\. write is not among the tools shown/,
    );
    expect(await find('write', { shown, hidden: 'activate' })).toMatch(/^write: .*"inputSchema":\{"type":"object"/);
  });

  it('says gone only of what this caller could have known', async () => {
    const wasKnown = (name: string, principal?: { id: string }): boolean => name === 'old' && principal?.id === 'alice';
    expect(await find('old', { wasKnown, principal: { id: 'alice' } })).toContain('existed earlier');
    expect(await find('old', { wasKnown, principal: { id: 'bob' } })).toContain('There is no tool named "old"');
    expect(await find('new', { wasKnown, principal: { id: 'alice' } })).toContain('There is no tool named "new"');
  });

  it('hides what is not permitted, also from the list, and when the answer is not a plain yes', async () => {
    for (const authorise of [
      (tool: { name: string }): boolean => tool.name !== 'secret',
      (tool: { name: string }): never | true => {
        if (tool.name === 'secret') throw new Error('away');
        return true;
      },
      ((tool: { name: string }) => (tool.name === 'secret' ? 'yes' : true)) as never,
    ]) {
      expect(await find('secret', { authorise })).toBe(
        'invalid: Not executed. There is no tool named "secret". Available tools: read, write.',
      );
      expect(await find('absent', { authorise })).toBe(
        'invalid: Not executed. There is no tool named "absent". Available tools: read, write.',
      );
      expect(await find('read', { authorise })).toBe('tool read');
    }
  });

  it('lists what is shown and still there, thirty at most, or says that there is nothing', async () => {
    expect(await find('x', { shown: new Set(['write', 'gone']) })).toContain('Available tools: write.');
    expect(await find('x', { lookup: { get: () => undefined } })).toContain('No tools are available.');
    const many = catalogueOf(Array.from({ length: 32 }, (_, index) => countingTool(`t${index}`)));
    expect(await find('x', { lookup: many })).toMatch(/t0, .*, t29 and 2 more\.$/);
  });
});
