import { describeJsonIssue } from '../../../base/text/json-issue.ts';
import type { Body } from '../query.ts';
import { JsonScanner, type JsonShape } from './json-shape.ts';
import { MAX_KEYS, bodyError } from './body-error.ts';

/**
 * Scans the keys of a JSON text.
 * @throws GatewayError PGRST102 if it is not JSON
 */
export function readShape(text: string): JsonShape {
  try {
    JSON.parse(text);
  } catch {
    throw bodyError('Empty or invalid json', describeJsonIssue(text));
  }
  return new JsonScanner(text).scan();
}

/**
 * Converts JSON to rows. All objects must have the same keys without duplicates, because the database would take the
 * last duplicate, and null for a missing key.
 * @param columns value of `columns=`; if set, the keys are not checked
 * @throws GatewayError PGRST102
 */
export function toBody(text: string, shape: JsonShape, columns?: readonly string[]): Body {
  if (shape.kind === 'other') throw bodyError('The body must be a JSON object or an array of JSON objects');
  if (shape.hasOthers)
    throw bodyError('All object keys must match', 'The array contains an item that is not an object.');
  if (shape.hasTooManyKeys && columns === undefined)
    throw bodyError(
      `An object has more than ${MAX_KEYS} keys`,
      undefined,
      'Select the columns to write with columns=.',
    );
  return {
    json: text,
    isArray: shape.kind === 'array',
    keys: columns ?? assertSameKeys(shape.keys),
    count: shape.keys.length,
  };
}

function assertSameKeys(objects: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = objects;
  const keys = new Set(first);
  if (keys.size < first.length) throw bodyError(...describeTwice(first, 0));
  for (const [index, object] of objects.entries()) {
    if (object.length === first.length && object.every((key, position) => key === first[position])) continue;
    const seenKeys = new Set(object);
    if (seenKeys.size < object.length) throw bodyError(...describeTwice(object, index));
    const odd = [...keys.symmetricDifference(seenKeys)][0];
    if (odd === undefined) continue;
    throw bodyError(
      'All object keys must match',
      `Only some objects have the key ${JSON.stringify(odd)}: object ${index + 1} of ${objects.length} differs from the first.`,
      'Select the columns to write with columns=.',
    );
  }
  return first;
}

function describeTwice(keys: readonly string[], index: number): [string, string] {
  const seen = new Set<string>();
  const twice = keys.find((key) => seen.size === seen.add(key).size);
  return ['Duplicate key in an object', `${JSON.stringify(twice)} of object ${index + 1}.`];
}
