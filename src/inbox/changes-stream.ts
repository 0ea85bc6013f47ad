import type { Clock } from '../core/clock.ts';

const pauseMs = 25_000;

/**
 * Server-sent events without content: each says "look again". A comment now and then keeps proxies from closing the stream. It ends
 * with the request.
 */
export function changesStream(
  subscribe: (listener: () => void) => () => void,
  clock: Clock,
  signal: AbortSignal,
): Response {
  const encoder = new TextEncoder();
  let stop = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string): void => {
        // A reader that does not read needs one hint, not a queue of them.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text));
      };
      const unsubscribe = subscribe(() => send('data: changed\n\n'));
      let cancelBeat = (): void => undefined;
      const beat = (): void => {
        send(': here\n\n');
        cancelBeat = clock.schedule(pauseMs, beat);
      };
      let open = true;
      stop = () => {
        if (!open) return;
        open = false;
        unsubscribe();
        cancelBeat();
      };
      signal.addEventListener('abort', () => stop(), { once: true });
      beat();
    },
    cancel: () => stop(),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}
