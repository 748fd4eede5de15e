import { authoredSchema } from '../../core/spec/authored.ts';
import { Container } from '../../core/spec/authored/executors.ts';
import { StepObject } from '../../core/spec/authored/step.ts';
import { addRules } from './rules.ts';
import { findShape, isClosed, type Schema, type ShapeName } from './shapes.ts';
import { mergeForms } from './forms.ts';
import { addDeprecatedNames, deprecate } from './spellings.ts';

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
    const { description: _, examples: __, ...rest } = mergeForms(rewriteObject(plain(schema)));
    return rest;
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...mergeForms(rewriteObject(plain(authoredSchema))),
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
