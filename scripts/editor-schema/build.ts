import { authoredSchema } from '../../core/spec/authored.ts';
import { Container } from '../../core/spec/authored/executors.ts';
import { StepObject } from '../../core/spec/authored/step.ts';
import { addRules } from './rules.ts';
import { findShape, isClosed, type Schema, type ShapeName } from './shapes.ts';
import { joinForms } from './forms.ts';
import { addSpellings, deprecate } from './spellings.ts';

/** Shapes that stand in many places and are written out once. */
const shared: readonly ShapeName[] = ['step', 'container'];

/**
 * The JSON Schema of a workflow file for editors: the authored shape with its descriptions and examples, with the
 * rules of the loader that a schema can say, and with the other spellings of keys marked as deprecated. It takes
 * every file that the loader takes but for one thing: of the spellings that differ in capitals and underscores it
 * knows camelCase and snake_case.
 *
 * Draft 7, which every editor knows; it means the same by the rules of 2020-12.
 */
export function buildEditorSchema(): Schema {
  return { ...build(), required: ['steps'] };
}

/** The JSON Schema of a base configuration (`base.yaml`): a workflow without `name` and `steps`. */
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
  // What a shared shape says of itself would stand in the way of what the field says that it is the value of.
  const define = (schema: object): Schema => {
    const { description: _, examples: __, ...rest } = joinForms(rewriteObject(plain(schema)));
    return rest;
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...joinForms(rewriteObject(plain(authoredSchema))),
    // After a last "---" there is nothing, which does no harm.
    type: ['object', 'null'],
    $defs: { step: define(StepObject), container: define(Container) },
  };
}

/** Puts references in the place of shared shapes, and what an editor is to know into the rest. */
function rewrite(part: unknown, isField = false): unknown {
  if (Array.isArray(part)) return part.map((item) => rewrite(item));
  if (typeof part !== 'object' || part === null) return part;
  const schema = part as Schema;
  const shape = findShape(schema);
  if (shape === undefined || !shared.includes(shape)) return rewriteObject(schema);
  // A field of its own, and not one form of several: its words are to stand where it does.
  const words = isField ? { description: schema['description'], examples: schema['examples'] } : {};
  return { ...words, $ref: `#/$defs/${shape}` };
}

function rewriteObject(schema: Schema): Schema {
  const { examples, ...rest } = schema;
  const rewritten = mapValues(rest, (value, keyword) =>
    keyword === 'properties' ? mapValues(value as Schema, (field) => rewrite(field, true)) : rewrite(value),
  );
  const whole = examples === undefined ? rewritten : { ...rewritten, examples };
  if (!isClosed(schema)) return whole;
  const shape = findShape(schema);
  return addSpellings(addRules(whole, shape), shape);
}

function mapValues(map: Schema, change: (value: unknown, key: string) => unknown): Schema {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}
