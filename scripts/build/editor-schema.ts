import { keyAliases } from '../../core/spec/foreign-fields.ts';
import { authoredSchema } from '../../core/spec/authored.ts';
import { Container } from '../../core/spec/authored/executors.ts';
import { StepObject } from '../../core/spec/authored/step.ts';
import { type Schema, type ShapeName, addRules, findShape, isClosed } from './schema-rules.ts';

const getAliases = (shape: ShapeName | undefined): Readonly<Record<string, string>> =>
  Object.entries(keyAliases).find(([name]) => name === shape)?.[1] ?? {};

/** Adds older names and snake_case keys as deprecated. */
function addDeprecatedNames(schema: Schema, shape: ShapeName | undefined): Schema {
  const aliases = Object.entries(getAliases(shape));
  const properties = schema['properties'] as Readonly<Record<string, Schema>>;
  const keys = Object.keys(properties);
  const inSnakeCase = [...keys.map((key) => [key, key] as const), ...aliases].map(
    ([written, key]) => [toSnakeCase(written), key] as const,
  );
  const spellings = [...aliases, ...inSnakeCase].filter(([written]) => !keys.includes(written));
  const added = spellings.map(([written, key]) => {
    const message = `Alias of "${key}".`;
    return [written, deprecate(properties[key]!, message)] as const;
  });
  return {
    ...schema,
    ...spreadRequired(schema['required'] as readonly string[] | undefined),
    properties: { ...properties, ...Object.fromEntries(added) },
  };
}

/**
 * Marks a field as deprecated.
 * @param message what to do instead; the keyword is specific to editors, which show it as a warning
 */
function deprecate(schema: Schema, message: string): Schema {
  const { description = '', examples: _, ...rest } = schema;
  return {
    ...rest,
    description: `${message} ${String(description)}`.trim(),
    deprecated: true,
    deprecationMessage: message,
  };
}

/** A required key may have any spelling. */
function spreadRequired(required: readonly string[] | undefined): Schema {
  const spelled = required?.filter((key) => toSnakeCase(key) !== key) ?? [];
  if (spelled.length === 0) return {};
  return {
    required: required?.filter((key) => !spelled.includes(key)),
    allOf: spelled.map((key) => ({ anyOf: [{ required: [key] }, { required: [toSnakeCase(key)] }] })),
  };
}

const toSnakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Keywords that apply to values of one type only. */
const singleTypeKeywords = new Set([
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
function mergeForms(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(mergeForms);
  const within = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'examples' ? value : mergeForms(value)]),
  );
  return Array.isArray(within['anyOf']) ? joinAlternatives(within) : within;
}

function joinAlternatives(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  let joined: Schema | undefined;
  const others: Schema[] = [];
  for (const form of anyOf as readonly Schema[]) {
    if (!hasSingleType(form)) others.push(form);
    else if (joined === undefined) joined = form;
    else if (Object.keys(form).some((key) => key !== 'type' && key in joined!)) others.push(form);
    else joined = { ...joined, ...form, type: [joined['type'], form['type']].flat() };
  }
  if (joined === undefined) return schema;
  return others.length === 0 ? { ...rest, ...joined } : { ...rest, anyOf: [...others, joined] };
}

const hasSingleType = (form: Schema): boolean =>
  form['type'] !== undefined && Object.keys(form).every((key) => singleTypeKeywords.has(key));

/** Shapes that occur in many places and are defined once. */
const shared: readonly ShapeName[] = ['step', 'container'];

/**
 * Builds the JSON Schema of a workflow file for editors: the authored shape with descriptions and examples, the
 * loader's rules as far as a schema can express them, and other spellings of keys as deprecated. It accepts
 * every file that the loader accepts, with one exception: of the spellings that differ in capitals and
 * underscores it knows only camelCase and snake_case.
 * Draft 7, which every editor supports; it has the same meaning under the rules of 2020-12.
 */
export function buildEditorSchema(): Schema {
  return { ...build(), required: ['steps'] };
}

/** Builds the JSON Schema of a base configuration (`base.yaml`): a workflow without `name` and `steps`. */
export function buildBaseSchema(): Schema {
  const schema = build();
  const properties = { ...(schema['properties'] as Record<string, Schema>) };
  for (const key of ['name', 'steps']) {
    const message = `"${key}" applies to a single workflow and has no effect in the base configuration. Remove it.`;
    properties[key] = deprecate(properties[key]!, message);
  }
  return {
    ...schema,
    description: 'Base configuration: settings shared by all workflows.',
    examples: [{ histRetentionDays: 90, handlerOn: { failure: './tell.sh' } }],
    properties,
  };
}

function build(): Schema {
  const plain = (schema: object): Schema => JSON.parse(JSON.stringify(schema)) as Schema;
  // The description of a shared shape would override that of the field that uses it.
  const define = (schema: object): Schema => {
    const { description: _, examples: __, ...rest } = mergeForms(rewriteObject(plain(schema))) as Schema;
    return rest;
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...(mergeForms(rewriteObject(plain(authoredSchema))) as Schema),
    // A document after a last "---" is empty, which is allowed.
    type: ['object', 'null'],
    $defs: { step: define(StepObject), container: define(Container) },
  };
}

/** Replaces shared shapes by references, and adds information for editors to the rest. */
function rewrite(node: unknown, isField = false): unknown {
  if (Array.isArray(node)) return node.map((item) => rewrite(item));
  if (typeof node !== 'object' || node === null) return node;
  const schema = node as Schema;
  const shape = findShape(schema);
  if (shape === undefined || !shared.includes(shape)) return rewriteObject(schema);
  // For a field, not one of its alternative forms: its description belongs where the field is.
  const args = isField ? { description: schema['description'], examples: schema['examples'] } : {};
  return { ...args, $ref: `#/$defs/${shape}` };
}

function rewriteObject(schema: Schema): Schema {
  const { examples, ...rest } = schema;
  const rewritten = mapValues(rest, (value, keyword) =>
    keyword === 'properties' ? mapValues(value as Schema, (field) => rewrite(field, true)) : rewrite(value),
  );
  const whole = examples === undefined ? rewritten : { ...rewritten, examples };
  if (!isClosed(schema)) return whole;
  const shape = findShape(schema);
  return addDeprecatedNames(addRules(whole, shape), shape);
}

function mapValues(map: Schema, change: (value: unknown, key: string) => unknown): Schema {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}
