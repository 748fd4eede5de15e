import type { TSchema } from 'typebox';

/** The parts of a JSON Schema that determine a type. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

/** Information that is not in the schema itself. */
export interface TypeNames {
  /** Returns the name of a schema's type, if it has one. */
  nameOf(schema: TSchema): string | undefined;
  /** Returns the description of a top-level field, or else that of its schema. */
  meaningOf?(field: string, schema: TSchema): string | undefined;
}

/** Formats a JSON Schema as a TypeScript type on one line, with comments for described fields. */
export function formatType(schema: TSchema, names: TypeNames): string {
  return names.nameOf(schema) ?? formatUnnamed(schema, names);
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function formatUnnamed(schema: Schema, names: TypeNames): string {
  const inner = (each: Schema): string => formatType(each, { nameOf: names.nameOf });
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(inner).join(' | ');
  if (schema.type === 'array') return formatList(schema.items ? inner(schema.items) : 'unknown');
  if (schema.type === 'object') return formatObject(schema, names);
  return simpleTypes[schema.type ?? ''] ?? 'unknown';
}

const formatList = (item: string): string => (item.includes(' | ') ? `(${item})[]` : `${item}[]`);

function formatObject(schema: Schema, names: TypeNames): string {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const [values] = Object.values(patternProperties ?? {});
  if (values) return `Record<string, ${formatType(values, { nameOf: names.nameOf })}>`;
  const fields = Object.entries(properties).map(([name, field]) => {
    const meaning = describeField(name, field, names);
    const comment = meaning === undefined ? '' : `/** ${meaning} */ `;
    const isOptional = !required.includes(name);
    const type = formatType(field, { nameOf: names.nameOf });
    return `${comment}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}`;
  });
  const open = additionalProperties === true ? ['[field: string]: unknown'] : [];
  return `{ ${[...fields, ...open].join('; ')} }`;
}

const describeField = (name: string, schema: TSchema, names: TypeNames): string | undefined =>
  names.meaningOf ? names.meaningOf(name, schema) : (schema as { readonly description?: string }).description;
