import type { TSchema } from 'typebox';
import { findShapeName } from '../openapi/openapi-schemas.ts';

/** The parts of a JSON Schema that describe its type. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Describes the type of a value in a few words, or by name for a named schema. */
export const describeType = (schema: TSchema): string => findShapeName(schema) ?? describeOwnType(schema);

/** Describes the type without names. */
export const describeOwnType = (schema: TSchema): string => describe(schema);

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'true or false',
  number: 'number',
  integer: 'integer',
  null: 'null',
};

function describe(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf) return schema.anyOf.map((each) => describeType(each as TSchema)).join(' or ');
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'array') return `list of ${schema.items ? describeType(schema.items) : 'any'}`;
  if (schema.type === 'object') return describeObject(schema);
  return (simpleTypes[schema.type ?? ''] ?? 'any') + describeRange(schema);
}

function describeObject({ properties, patternProperties }: Schema): string {
  const [values] = Object.values(patternProperties ?? {});
  if (values) return `map of ${describeType(values)}`;
  const fields = Object.keys(properties ?? {});
  return fields.length === 0 ? 'record' : `{${fields.join(', ')}}`;
}

function describeRange(schema: Schema): string {
  const [minimum, maximum] = [schema.minimum, schema.maximum].map((limit) =>
    limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit,
  );
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  return maximum === undefined ? '' : `, at most ${maximum}`;
}
