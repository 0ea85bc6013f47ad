import { isPlainObject } from '../core/json.ts';

/** Adds one segment to a JSON Pointer (RFC 6901). */
export function appendPointer(pointer: string, segment: string | number): string {
  return `${pointer}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The segments of a JSON Pointer; undefined when it is not one. Percent escapes of a fragment are understood where they are valid. */
export function pointerSegments(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => decodePercent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a reference within a document (`#`, `#/a/b`, `#anchor`); undefined when there is none. Never looks outside. */
export function resolveReference(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const fragment = reference.slice(1);
  if (fragment !== '' && !fragment.startsWith('/')) return findAnchor(root, decodePercent(fragment), 0);
  let current: unknown = root;
  for (const segment of pointerSegments(fragment) ?? []) {
    if (Array.isArray(current)) {
      const index = /^(0|[1-9]\d{0,8})$/.test(segment) ? Number(segment) : -1;
      current = current[index] as unknown;
    } else if (isPlainObject(current) && Object.hasOwn(current, segment)) {
      current = current[segment];
    } else {
      return undefined;
    }
  }
  return current;
}

function findAnchor(value: unknown, name: string, depth: number): unknown {
  if (depth > 64 || typeof value !== 'object' || value === null) return undefined;
  if (isPlainObject(value) && (value['$anchor'] === name || value['$id'] === `#${name}`)) return value;
  for (const child of Object.values(value) as unknown[]) {
    const found = findAnchor(child, name, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
