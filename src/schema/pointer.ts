import { isPlainObject } from '../core/json.ts';

/** Adds one segment to a JSON Pointer (RFC 6901). */
export function appendPointer(pointer: string, segment: string | number): string {
  if (typeof segment === 'number' || !/[~/]/.test(segment)) return `${pointer}/${segment}`;
  return `${pointer}/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`;
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
  if (fragment !== '' && !fragment.startsWith('/')) return findAnchor(root, decodePercent(fragment));
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

const anchorsByRoot = new WeakMap<object, ReadonlyMap<string, unknown>>();

/** Collected once for each document, so that many references to anchors cost no more than one. */
function findAnchor(root: unknown, name: string): unknown {
  if (typeof root !== 'object' || root === null) return undefined;
  let anchors = anchorsByRoot.get(root);
  if (anchors === undefined) {
    const found = new Map<string, unknown>();
    collectAnchors(root, found, 0);
    anchors = found;
    anchorsByRoot.set(root, anchors);
  }
  return anchors.get(name);
}

function collectAnchors(value: unknown, found: Map<string, unknown>, depth: number): void {
  if (depth > 64 || typeof value !== 'object' || value === null) return;
  if (isPlainObject(value)) {
    const { $anchor: anchor, $id: id } = value;
    if (typeof anchor === 'string' && !found.has(anchor)) found.set(anchor, value);
    if (typeof id === 'string' && id.startsWith('#') && !found.has(id.slice(1))) found.set(id.slice(1), value);
  }
  for (const child of Object.values(value) as unknown[]) collectAnchors(child, found, depth + 1);
}

function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
