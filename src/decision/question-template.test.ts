import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { createQuestionTemplate, describeTool } from './question-template.ts';

const weather: ToolDefinition = {
  name: 'get_weather',
  description: ' The weather of a city. ',
  inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
};

describe('createQuestionTemplate', () => {
  it('names the tool, in the present tense, with one claim', () => {
    expect(createQuestionTemplate()(weather)).toEqual({
      type: 'yes-no',
      text: 'Does the current request in this conversation call for the tool "get_weather"?\nWhat "get_weather" does: The weather of a city.',
      about: { tool: weather },
    });
  });

  it('can be given, with name, description and parameters', () => {
    expect(createQuestionTemplate(' {{name}}: {{ description }} ({{parameters}}) ')(weather).text).toBe(
      'get_weather: The weather of a city. (city, days)',
    );
  });

  it('gives the same question for the same tool object', () => {
    const template = createQuestionTemplate();
    expect(template(weather)).toBe(template(weather));
    expect(template({ ...weather })).not.toBe(template(weather));
  });

  it('reads a tool’s own text never as a template or a replacement pattern', () => {
    const hostile = { ...weather, name: 'a{{description}}$&', description: '{{name}} $1 $$' };
    expect(createQuestionTemplate('{{name}}|{{description}}')(hostile).text).toBe('a{{description}}$&|{{name}} $1 $$');
  });

  it('refuses a template without the name or with anything unknown', () => {
    expect(() => createQuestionTemplate('Useful?')).toThrow('The question template must contain {{name}}.');
    expect(() => createQuestionTemplate('{{name}} {{schema}} {{x}}')).toThrow(
      'The question template can only use {{name}}, {{description}} and {{parameters}}, but uses {{schema}}, {{x}}.',
    );
  });
});

describe('describeTool', () => {
  it('replaces an empty description by the words of the name and the parameters', () => {
    expect(describeTool({ ...weather, description: ' ' })).toBe('get weather (city, days)');
    expect(describeTool({ name: 'mcp__ha__script.garageNightMode', inputSchema: {} })).toBe(
      'mcp ha script garage Night Mode',
    );
    expect(describeTool({ name: 'x', title: 'Night mode', inputSchema: { type: 'object', properties: {} } })).toBe(
      'Night mode',
    );
  });
});
