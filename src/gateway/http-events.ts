import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { EventHub, GatewayEvent } from './event-hub.ts';

const keepAliveMs = 15_000;
const mostWaiting = 1_000;

/** Server-sent events: one for each change, as a hint to look again. A reader that is too slow is cut off and may come back. */
export function eventStream(c: Context, hub: EventHub): Response {
  return streamSSE(c, async (stream) => {
    const waiting: GatewayEvent[] = [];
    let wake: () => void = () => undefined;
    const stop = hub.subscribe((event) => {
      waiting.push(event);
      wake();
    });
    stream.onAbort(() => wake());
    try {
      await stream.writeSSE({ event: 'ready', data: '{}' });
      while (!stream.aborted && waiting.length < mostWaiting) {
        const event = waiting.shift();
        if (event !== undefined) {
          await stream.writeSSE({ event: event.type, data: JSON.stringify(event) });
          continue;
        }
        const woken = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(false), keepAliveMs);
          timer.unref();
          wake = () => {
            clearTimeout(timer);
            resolve(true);
          };
          if (waiting.length > 0 || stream.aborted) wake();
        });
        if (!woken && !stream.aborted) await stream.write(': still here\n\n');
      }
    } finally {
      stop();
    }
  });
}
