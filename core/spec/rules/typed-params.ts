import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type Report, findField, getText, toValue, type SourceRef } from '../source.ts';
import { isParamName } from '../params.ts';
import { authoredKeys } from '../authored-keys.ts';

/** Whether an item of the list of parameters has a name, and another field of a typed parameter. */
export const isTypedParam = ({ node }: SourceRef): boolean =>
  node.kind === 'map' &&
  node.entries.has('name') &&
  authoredKeys.typedParam.some((key) => key !== 'name' && node.entries.has(key));

/** A typed parameter: its property in the JSON Schema of all parameters, and its default as text. */
export interface TypedParam {
  readonly name: string;
  readonly property: JsonObject;
  readonly isRequired: boolean;
  readonly default: string | undefined;
}

/** Reads a typed parameter such as `{ name: batch, type: integer, minimum: 1, default: 10 }`. */
export function readTypedParam(item: SourceRef, report: Report): TypedParam {
  const { name: _name, required, default: fallback, ...property } = toValue(item.node) as JsonObject;
  const nameField = findField(item, 'name')!;
  const defaultField = findField(item, 'default');
  const text = getText(nameField.node);
  if (!isParamName(text)) {
    const message = `Invalid parameter name "${text.slice(0, 60)}". Use letters, digits, "_", "-" and ".".`;
    report.error(nameField, message);
  }
  const typed = withType(property, fallback);
  checkLimits(item, typed, report);
  if (defaultField !== undefined) checkDefault(defaultField, typed, report);
  return {
    name: text,
    property: typed,
    isRequired: required === true,
    default: defaultField && getDefault(defaultField),
  };
}

/** Adds the type that `default` or the limits imply; a parameter with `enum` needs none. */
function withType(property: JsonObject, fallback: JsonValue | undefined): JsonObject {
  if (property['type'] !== undefined || property['enum'] !== undefined) return property;
  if (typeof fallback === 'boolean') return { type: 'boolean', ...property };
  const hasLimit = property['minimum'] !== undefined || property['maximum'] !== undefined;
  return { type: typeof fallback === 'number' || hasLimit ? 'number' : 'string', ...property };
}

function getDefault({ node }: SourceRef): string {
  return node.kind === 'scalar' ? getText(node) : JSON.stringify(toValue(node));
}

/** Limits that no value can meet. */
function checkLimits(item: SourceRef, property: JsonObject, report: Report): void {
  for (const [low, high] of [
    ['minimum', 'maximum'],
    ['minLength', 'maxLength'],
  ] as const) {
    if (Number(property[low]) > Number(property[high]))
      report.error(findField(item, low)!, `"${low}" is greater than "${high}". Swap or fix the limits.`);
  }
}

const patterns: Readonly<Record<string, readonly [pattern: RegExp, words: string]>> = {
  integer: [/^[+-]?\d+$/, 'a whole number'],
  number: [/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i, 'a number'],
  boolean: [/^(?:true|false)$/, 'true or false'],
  array: [/^\s*\[/, 'a list'],
  object: [/^\s*\{/, 'a map'],
};

const showValue = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Checks a default without variables, whose value is known before a run. */
function checkDefault(field: SourceRef, property: JsonObject, report: Report): void {
  const text = getDefault(field);
  if (/[$`]/.test(text)) return;
  const expected = typeof property['type'] === 'string' ? patterns[property['type']] : undefined;
  const shown = text === '' ? 'empty' : text.slice(0, 60);
  const choices = Array.isArray(property['enum']) ? property['enum'].map(showValue) : undefined;
  const [minimum, maximum] = [property['minimum'], property['maximum']];
  if (expected !== undefined && !expected[0].test(text))
    report.error(field, `"default" must be ${expected[1]}, but is ${shown}.`);
  else if (choices !== undefined && !choices.includes(text))
    report.error(field, `"default" must be one of: ${choices.join(', ')}, but is ${shown}.`);
  else if (typeof minimum === 'number' && Number(text) < minimum)
    report.error(field, `"default" must be at least ${minimum}, but is ${shown}.`);
  else if (typeof maximum === 'number' && Number(text) > maximum)
    report.error(field, `"default" must be at most ${maximum}, but is ${shown}.`);
}

/**
 * Builds the JSON Schema of a list with typed parameters, which has no other parameters.
 * @param names of all parameters of the list in its order; the untyped ones take any string
 */
export function toParamSchema(names: readonly string[], typed: ReadonlyMap<string, TypedParam>): JsonObject {
  const required = names.filter((name) => typed.get(name)?.isRequired === true);
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, typed.get(name)?.property ?? { type: 'string' }]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
