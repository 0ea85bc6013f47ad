import { safeLine } from './safe-plain.ts';
import { safeText } from './safe-text.ts';
import { textWarnings } from './safe-warnings.ts';
import type { SafeDisplay, SafeDisplayOptions, SafeNode, SafeText, SafeWarning } from './safe-types.ts';

interface Walk {
  readonly options: SafeDisplayOptions;
  readonly maxDepth: number;
  readonly maxNodes: number;
  readonly warnings: SafeWarning[];
  /** Objects between the root and here, to see cycles. */
  readonly path: Set<object>;
  nodes: number;
  folded: number;
  complete: boolean;
}

/**
 * Makes any value fit to be shown to the person who decides: complete and inert. Every argument is there, in its order, with
 * its key; what is invisible or misleading is made visible and reported as a warning; long texts are folded in the middle and
 * keep all they hold. Getters are never called, proxies and classes are not trusted, keys such as `__proto__` are ordinary,
 * and depth and size are bounded: what is beyond a bound stands as a note and makes `complete` false. Never throws.
 *
 * Page, terminal, MCP text and log all use this one function. Render with `plainDisplay`, `markdownDisplay`, or the inbox's view.
 */
export function safeDisplay(value: unknown, options?: SafeDisplayOptions): SafeDisplay {
  const walk: Walk = {
    options: options ?? {},
    maxDepth: Math.min(options?.maxDepth ?? 32, 200),
    maxNodes: options?.maxNodes ?? 5000,
    warnings: [],
    path: new Set(),
    nodes: 0,
    folded: 0,
    complete: true,
  };
  let root: SafeNode;
  try {
    root = visit(value, '', 0, walk);
  } catch {
    // A proxy may throw from any trap.
    root = leaveOut('a value that cannot be read', '', walk);
  }
  return { root, warnings: walk.warnings, complete: walk.complete, folded: walk.folded };
}

function visit(value: unknown, path: string, depth: number, walk: Walk): SafeNode {
  walk.nodes += 1;
  switch (typeof value) {
    case 'string':
      return { type: 'string', text: text(value, path, walk) };
    case 'number':
      return { type: 'scalar', text: Object.is(value, -0) ? '-0' : String(value) };
    case 'bigint':
      return { type: 'scalar', text: `${value}n` };
    case 'boolean':
    case 'undefined':
      return { type: 'scalar', text: String(value) };
    case 'function':
    case 'symbol':
      return leaveOut(`a ${typeof value}, which is not data`, path, walk);
    default:
      return value === null ? { type: 'scalar', text: 'null' } : visitObject(value as object, path, depth, walk);
  }
}

function visitObject(value: object, path: string, depth: number, walk: Walk): SafeNode {
  if (walk.path.has(value)) return leaveOut('this value contains itself', path, walk);
  const isList = Array.isArray(value);
  const keys = isList ? [] : Object.keys(value);
  const size = isList ? value.length : keys.length;
  if (depth >= walk.maxDepth && size > 0) {
    return leaveOut(
      `${size} more ${size === 1 ? 'value' : 'values'}, nested deeper than ${walk.maxDepth} levels`,
      path,
      walk,
    );
  }
  walk.path.add(value);
  try {
    return isList ? visitList(value, path, depth, walk) : visitMap(value, keys, path, depth, walk);
  } finally {
    walk.path.delete(value);
  }
}

function visitList(value: readonly unknown[], path: string, depth: number, walk: Walk): SafeNode {
  const items: SafeNode[] = [];
  for (let position = 0; position < value.length; position += 1) {
    const here = `${path}/${position}`;
    if (walk.nodes >= walk.maxNodes) {
      items.push(leaveOut(`${value.length - position} more items of this list`, here, walk));
      break;
    }
    items.push(property(value, String(position), here, depth, walk));
  }
  return { type: 'list', items };
}

function visitMap(value: object, keys: readonly string[], path: string, depth: number, walk: Walk): SafeNode {
  const entries: { key: SafeText; value: SafeNode }[] = [];
  for (const [position, key] of keys.entries()) {
    const here = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (walk.nodes >= walk.maxNodes) {
      const note = leaveOut(`${keys.length - position} more entries of this object`, path, walk);
      entries.push({ key: safeText('…'), value: note });
      break;
    }
    entries.push({ key: text(key, here, walk), value: property(value, key, here, depth, walk) });
  }
  return { type: 'map', entries };
}

function property(holder: object, key: string, path: string, depth: number, walk: Walk): SafeNode {
  const descriptor = Object.getOwnPropertyDescriptor(holder, key);
  if (descriptor === undefined) return { type: 'scalar', text: 'undefined' };
  if (!('value' in descriptor)) return leaveOut('computed when read, so not read', path, walk);
  return visit(descriptor.value, path, depth + 1, walk);
}

function text(value: string, path: string, walk: Walk): SafeText {
  const safe = safeText(value, walk.options);
  if (safe.fold !== null) walk.folded += 1;
  walk.warnings.push(...textWarnings(safe, path));
  return safe;
}

function leaveOut(what: string, path: string, walk: Walk): SafeNode {
  walk.complete = false;
  walk.warnings.push({ kind: 'not-shown', path: safeLine(path), message: `Not shown here: ${what}` });
  return { type: 'note', text: what };
}
