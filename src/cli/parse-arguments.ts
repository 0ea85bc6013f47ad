import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';

/** Arguments of a call from the command line: `name=value` pairs, where a value that is JSON is read as JSON, or one JSON object. */
export function parseArguments(args: readonly string[]): Record<string, unknown> {
  const [only] = args;
  if (args.length === 1 && only !== undefined && only.trimStart().startsWith('{')) {
    const value = json(only);
    if (isPlainObject(value)) return value;
    throw wrong(`${JSON.stringify(only)} is not a JSON object.`);
  }
  const pairs = args.map((text): [string, unknown] => {
    const at = text.indexOf('=');
    if (at < 1) throw wrong(`${JSON.stringify(text)} is neither name=value nor a JSON object.`);
    const value = text.slice(at + 1);
    return [text.slice(0, at), json(value) ?? value];
  });
  return Object.fromEntries(pairs);
}

/** The value of a JSON text; undefined when it is none, and for `null`, which nobody means by a word on a command line. */
function json(text: string): unknown {
  try {
    return (JSON.parse(text) as unknown) ?? undefined;
  } catch {
    return undefined;
  }
}

function wrong(problem: string): ToolgateError {
  return new ToolgateError('invalid-option', `These arguments cannot be read: ${problem}`, {
    data: { option: 'arguments' },
  });
}
