import { ToolgateError } from '../core/errors.ts';

/** No answer of a decision model is near this size. */
const maximumBytes = 8 * 1024 * 1024;

/** Reads a body as UTF-8; gives up with `decision-model-invalid-response` when it is larger than 8 MiB. */
export async function readLimitedText(response: Response, signal: AbortSignal): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maximumBytes) {
      await reader.cancel();
      throw new ToolgateError(
        'decision-model-invalid-response',
        `The answer of the decision model is larger than ${maximumBytes} bytes.`,
        {
          data: {},
        },
      );
    }
    text += decoder.decode(value, { stream: true });
  }
}
