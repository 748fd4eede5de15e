import type { JsonObject, JsonValue } from '../base/json.ts';
import type { ParamField } from '../model/param-form.ts';
import { paramTypes } from '../model/workflow-rules.ts';
import type { Parameter } from '../model/workflow.ts';
import { isJsonObject } from './expand.ts';

/** Most fields of a form. */
const maxFields = 500;

/**
 * Lists the parameters of a workflow for a form: those of the schema in its order, then the other ones of the workflow.
 * @param params the workflow's own parameters, whose values override the defaults of the schema
 */
export function listParamFields(params: readonly Parameter[], schema: JsonObject = {}): ParamField[] {
  const values = new Map(params.map(({ name, value }) => [name, value]));
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const fields = Object.entries(properties)
    .slice(0, maxFields)
    .map(([name, value]) =>
      toField(name, resolve(value, schema), { value: values.get(name), isRequired: required.has(name) }),
    );
  const others = params.filter(({ name }) => !Object.hasOwn(properties, name));
  return [...fields, ...others.map(({ name, value }) => toPlainField(name, value))];
}

/** Whether a run without a value for the parameter is rejected. */
export const lacksValue = (field: ParamField): boolean => field.required && field.default === undefined;

const toPlainField = (name: string, value: string): ParamField => ({
  name,
  type: 'string',
  required: false,
  default: value,
});

interface FieldContext {
  /** Value of the workflow; undefined if it has none. */
  readonly value: string | undefined;
  readonly isRequired: boolean;
}

function toField(name: string, schema: JsonObject, { value, isRequired }: FieldContext): ParamField {
  const fallback = value ?? (schema['default'] === undefined ? undefined : toText(schema['default']));
  const choices = readChoices(schema);
  const isSecret = schema['writeOnly'] === true;
  const text = (key: string): string | undefined =>
    typeof schema[key] === 'string' && schema[key] !== '' ? schema[key] : undefined;
  const number = (key: string): number | undefined =>
    typeof schema[key] === 'number' ? schema[key] : undefined;
  const optional = {
    title: text('title'),
    description: text('description'),
    format: isSecret ? 'password' : text('format'),
    default: fallback,
    choices,
    minimum: number('minimum'),
    maximum: number('maximum'),
    maxLength: number('maxLength'),
  };
  return {
    name,
    type: readType(schema),
    required: isRequired,
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, entry]) => entry !== undefined),
    ) as Partial<ParamField>),
  };
}

/** Returns the type of a value; a string can hold every one. */
function readType(schema: JsonObject): ParamField['type'] {
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  const [type] = types;
  return types.length === 1 ? (paramTypes.find((known) => known === type) ?? 'string') : 'string';
}

/** Reads `enum`, or `oneOf` with a constant and a title in each branch. */
function readChoices(schema: JsonObject): ParamField['choices'] {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => ({ value: toText(value) }));
  const branches = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(branches)) return undefined;
  const choices = branches.map((branch) => {
    if (!isJsonObject(branch) || branch['const'] === undefined) return undefined;
    const title = branch['title'];
    return { value: toText(branch['const']), ...(typeof title === 'string' && { title }) };
  });
  return choices.some((choice) => choice === undefined)
    ? undefined
    : choices.filter((choice) => choice !== undefined);
}

/** Returns the text that a parameter receives. */
const toText = (value: JsonValue): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Returns the schema of a property, after following a reference within the whole schema. */
function resolve(value: JsonValue, whole: JsonObject): JsonObject {
  if (!isJsonObject(value)) return {};
  const { $ref: reference, ...own } = value;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return value;
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  let node: JsonValue | undefined = whole;
  for (const key of keys) node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  return isJsonObject(node) ? { ...node, ...own } : own;
}
