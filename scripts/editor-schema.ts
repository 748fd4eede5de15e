import { authoredSchema } from '../core/spec/authored.ts';
import { Container } from '../core/spec/authored/executors.ts';
import { Handlers, StepObject } from '../core/spec/authored/step.ts';
import { keyAliases } from '../core/spec/key-aliases.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Shapes that have other words for their keys, by the JSON of the shape. */
const aliasesByText = new Map<string, Readonly<Record<string, string>>>([
  [JSON.stringify(authoredSchema), keyAliases.workflow],
  [JSON.stringify(StepObject), keyAliases.step],
  [JSON.stringify(Handlers), keyAliases.handlers],
  [JSON.stringify(Container), keyAliases.container],
]);

/** Shapes that stand in many places and are written out once. */
const nameByText = new Map([
  [JSON.stringify(StepObject), 'step'],
  [JSON.stringify(Container), 'container'],
]);

/**
 * The JSON Schema of a workflow file for editors: the authored shape with its descriptions and examples, and with the
 * other spellings of keys marked as deprecated. It is stricter than the loader in one way: of the spellings that
 * differ in capitals and underscores it knows camelCase and snake_case.
 */
export function buildEditorSchema(): object {
  const plain = (schema: object): Schema => JSON.parse(JSON.stringify(schema)) as Schema;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...rewriteObject(plain(authoredSchema)),
    $defs: { step: rewriteObject(plain(StepObject)), container: rewriteObject(plain(Container)) },
  };
}

/** Puts references in the place of named shapes, and other spellings beside the keys of the rest. */
function rewrite(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewrite);
  if (typeof part !== 'object' || part === null) return part;
  const name = nameByText.get(JSON.stringify(part));
  if (name !== undefined) return { $ref: `#/$defs/${name}` };
  return rewriteObject(part as Schema);
}

function rewriteObject(schema: Schema): Schema {
  const { examples, ...rest } = schema;
  const rewritten = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, rewrite(value)]));
  const marked = examples === undefined ? rewritten : { ...rewritten, examples };
  const isClosed = 'properties' in schema && schema['additionalProperties'] === false;
  return isClosed ? addSpellings(marked, aliasesByText.get(JSON.stringify(schema)) ?? {}) : marked;
}

function addSpellings(schema: Schema, aliases: Readonly<Record<string, string>>): Schema {
  const properties = schema['properties'] as Readonly<Record<string, Schema>>;
  const keys = Object.keys(properties);
  const spellings = [
    ...Object.entries(aliases),
    ...[...keys.map((key) => [key, key] as const), ...Object.entries(aliases)].map(
      ([written, key]) => [toSnakeCase(written), key] as const,
    ),
  ].filter(([written]) => !keys.includes(written));
  const added = spellings.map(([written, key]) => [written, deprecate(properties[key]!, key)] as const);
  return {
    ...schema,
    ...spreadRequired(schema['required'] as readonly string[] | undefined),
    properties: { ...properties, ...Object.fromEntries(added) },
  };
}

function deprecate(schema: Schema, key: string): Schema {
  const message = `Another spelling of "${key}". Write "${key}".`;
  return { ...schema, description: message, deprecated: true, deprecationMessage: message };
}

/** A key that must be there may be there in any spelling. */
function spreadRequired(required: readonly string[] | undefined): Schema {
  const spelled = required?.filter((key) => toSnakeCase(key) !== key) ?? [];
  if (spelled.length === 0) return {};
  return {
    required: required?.filter((key) => !spelled.includes(key)),
    allOf: spelled.map((key) => ({ anyOf: [{ required: [key] }, { required: [toSnakeCase(key)] }] })),
  };
}

const toSnakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
