import type { Schema } from './shapes.ts';

/** Keywords that apply to values of one type only. */
const ofOneType = new Set([
  'type',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'items',
  'minItems',
  'maxItems',
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'minProperties',
]);

/**
 * Merges the alternative forms of each field if each has its own type: `anyOf` a number from 0 and a string
 * becomes a number or string, with a minimum of 0. The meaning is the same. Editors then report errors more
 * precisely, and the YAML language server, which treats forms without a description as equal, does not repeat
 * the description of a field.
 */
export function mergeForms(schema: Schema): Schema {
  return joinWithin(schema) as Schema;
}

function joinWithin(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(joinWithin);
  const within = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'examples' ? value : joinWithin(value)]),
  );
  return Array.isArray(within['anyOf']) ? joinAlternatives(within) : within;
}

function joinAlternatives(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  let joined: Schema | undefined;
  const others: Schema[] = [];
  for (const form of anyOf as readonly Schema[]) {
    if (!isOfOneType(form)) others.push(form);
    else if (joined === undefined) joined = form;
    else if (Object.keys(form).some((key) => key !== 'type' && key in joined!)) others.push(form);
    else joined = { ...joined, ...form, type: [joined['type'], form['type']].flat() };
  }
  if (joined === undefined) return schema;
  return others.length === 0 ? { ...rest, ...joined } : { ...rest, anyOf: [...others, joined] };
}

const isOfOneType = (form: Schema): boolean =>
  form['type'] !== undefined && Object.keys(form).every((key) => ofOneType.has(key));
