import type { JsonObject } from '../core/json.ts';
import { omitKeys } from './own.ts';
import { resolveReference } from './pointer.ts';
import { forEachSubschema, isSubschema, mapSubschemas, placePointer } from './subschemas.ts';
import type { Subschema } from './subschemas.ts';

const dynamicReferences = ['$dynamicRef', '$recursiveRef'];

function shortText(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 120);
}

/** Without references that lead out of the document, nowhere, or only back to themselves, and without dynamic references. */
export function cutReferences(root: JsonObject, notes: string[]): JsonObject {
  const schemas = new Set<JsonObject>();
  collectSchemas(root, schemas);
  const bad = new Map<JsonObject, string>();
  const done = new Set<JsonObject>();
  const onPath = new Set<JsonObject>();
  // Only keywords that look at the same value can go round without end.
  const inPlace = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);
  const visit = (schema: JsonObject): void => {
    if (done.has(schema)) return;
    onPath.add(schema);
    const reference: unknown = schema['$ref'];
    if (typeof reference === 'string') {
      const target = resolveReference(root, reference);
      if (!reference.startsWith('#')) bad.set(schema, 'leads out of the schema and is never fetched');
      else if (!isSubschema(target)) bad.set(schema, 'leads nowhere');
      else if (typeof target === 'object' && !schemas.has(target))
        bad.set(schema, 'leads to something that is not a schema');
      else if (typeof target === 'object' && onPath.has(target)) bad.set(schema, 'only leads back to itself');
      else if (typeof target === 'object') visit(target);
    }
    forEachSubschema(schema, (child, place) => {
      if (typeof child !== 'object' || !inPlace.has(place[0])) return;
      if (!onPath.has(child)) visit(child);
    });
    onPath.delete(schema);
    done.add(schema);
  };
  for (const schema of schemas) visit(schema);
  const cut = (schema: Subschema, path: string): Subschema => {
    if (typeof schema === 'boolean') return schema;
    let current = schema;
    const why = bad.get(schema);
    const dynamic = Object.hasOwn(schema, '$dynamicRef') || Object.hasOwn(schema, '$recursiveRef');
    if (why !== undefined || dynamic) {
      current = omitKeys(schema, why === undefined ? dynamicReferences : ['$ref', ...dynamicReferences]);
      if (why !== undefined)
        notes.push(`${path || '/'}: the reference ${shortText(schema['$ref'])} ${why}; anything is accepted there`);
      else
        notes.push(
          `${path || '/'}: the dynamic reference ${shortText(schema['$dynamicRef'] ?? schema['$recursiveRef'])} is not followed`,
        );
    }
    return mapSubschemas(current, (child, place) => cut(child, placePointer(path, place)));
  };
  return cut(root, '') as JsonObject;
}

/** All schemas of a document, and nothing that only looks like one. */
function collectSchemas(schema: JsonObject, found: Set<JsonObject>): void {
  found.add(schema);
  forEachSubschema(schema, (child) => {
    if (typeof child === 'object') collectSchemas(child, found);
  });
}
