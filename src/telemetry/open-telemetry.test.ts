import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../core/tool.ts';
import { scriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import { selectTools } from '../select/select-tools.ts';
import { openTelemetry } from './open-telemetry.ts';

function recording(): {
  readonly exporter: InMemorySpanExporter;
  readonly tracer: ReturnType<BasicTracerProvider['getTracer']>;
} {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { exporter, tracer: provider.getTracer('test') };
}

const tools: readonly ToolDefinition[] = ['a', 'b'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const request = { messages: [], userMessage: { role: 'user', content: 'a private question' } };

describe('openTelemetry', () => {
  it('records attributes, events and errors of a span', async () => {
    const { exporter, tracer } = recording();
    const telemetry = await openTelemetry({ tracer });
    const span = telemetry.startSpan('work', { n: 1 });
    span.set({ list: ['x'] });
    span.event('half', { at: 2 });
    span.end(new Error('broken'));
    const [done] = exporter.getFinishedSpans();
    expect(done).toMatchObject({
      name: 'work',
      attributes: { n: 1, list: ['x'] },
      status: { code: 2, message: 'broken' },
    });
    expect(done?.events.map((event) => event.name)).toEqual(['half', 'exception']);
  });

  it('carries the scores of a selection, and no text of a message unless asked', async () => {
    const { exporter, tracer } = recording();
    const telemetry = await openTelemetry({ tracer });
    const decisionModel = scriptedDecisionModel({ scores: { a: 0.9, b: 0.1 } });
    await selectTools(tools, request, { decisionModel, telemetry });
    const [done] = exporter.getFinishedSpans();
    expect(done).toMatchObject({
      name: 'toolgate.select',
      attributes: {
        'toolgate.selection.tools': 2,
        'toolgate.selection.kept': 1,
        'toolgate.selection.kept.names': ['a'],
        'toolgate.selection.scored.names': ['a', 'b'],
        'toolgate.selection.scored.probabilities': [0.9, 0.1],
        'toolgate.decision.provider': 'scripted',
      },
    });
    expect(JSON.stringify(done?.attributes)).not.toContain('a private question');
    await selectTools(tools, request, { decisionModel, telemetry, recordInput: true });
    expect(exporter.getFinishedSpans()[1]?.attributes['toolgate.selection.input']).toContain('a private question');
  });

  it('uses the global tracer when none is given', async () => {
    const telemetry = await openTelemetry();
    expect(() => telemetry.startSpan('x').end()).not.toThrow();
  });

  it('lets nothing out that a tracer throws', async () => {
    const telemetry = await openTelemetry({
      tracer: {
        startSpan() {
          throw new Error('tracer is down');
        },
      },
    });
    const { kept } = await selectTools(tools, request, {
      decisionModel: scriptedDecisionModel({ otherwise: 1 }),
      telemetry,
    });
    expect(kept).toEqual([0, 1]);
  });
});
