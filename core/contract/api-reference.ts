import type { TObject, TSchema } from 'typebox';
import { errorCodes, type ErrorCode } from '../base/error-codes.ts';
import { listSharedSchemas, findSchemaName } from './openapi-schemas.ts';
import type { Operation, Role, StreamOperation } from './operation.ts';
import { operations, streams } from './operations.ts';
import { apiPrefix, listPathFields, sendsInputInQuery, v1Prefix } from './transport.ts';
import { buildCurl, type ExampleSource } from './curl-example.ts';
import { findInputFieldDescription } from './field-descriptions.ts';
import { findResponseFieldDescription } from './schema-descriptions.ts';
import { getResource, resources, type Resource } from './resources.ts';

/** A field of a request, response or schema. */
export interface FieldEntry {
  readonly name: string;
  /** Where it is sent; absent in responses and schemas. */
  readonly location?: 'path' | 'query' | 'body';
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** An expected error. */
export interface ErrorEntry {
  readonly code: ErrorCode;
  readonly http: number;
  readonly description: string;
}

/** An operation or stream of the API reference. */
export interface OperationEntry {
  readonly name: string;
  readonly isStream: boolean;
  readonly method: string;
  readonly path: string;
  /** Prefix of the path: `/api/v2`, or that of another service. */
  readonly mount: string;
  readonly summary: string;
  /** `undefined`: callable without credentials. */
  readonly role: Role | undefined;
  readonly input: readonly FieldEntry[];
  /** Fields of the response, or of each item of a stream. */
  readonly output: readonly FieldEntry[];
  /** Name of the schema of the whole response. */
  readonly outputSchema: string | undefined;
  readonly errors: readonly ErrorEntry[];
  /** Returns an example request. */
  curl(api: string, isGuarded?: boolean): string;
}

/** The operations of one resource, in the order of the table. */
export interface ReferenceGroup extends Resource {
  readonly entries: readonly OperationEntry[];
}

/** A schema that several responses share. */
export interface SchemaEntry {
  readonly name: string;
  /** Its type if it has no fields. */
  readonly type: string;
  readonly description: string | undefined;
  readonly fields: readonly FieldEntry[];
}

/** Describes the whole API, for the reference page and the documentation. */
export function listReferenceGroups(): ReferenceGroup[] {
  const entries = [
    ...Object.entries(operations).map(([name, operation]) => toOperationEntry(name, operation)),
    ...Object.entries(streams).map(([name, stream]) => toStreamEntry(name, stream)),
  ];
  return resources
    .map((resource) => ({
      ...resource,
      entries: entries.filter(({ name }) => getResource(name) === resource.name),
    }))
    .filter((group) => group.entries.length > 0);
}

/** Returns the schemas that the entries refer to, by name. */
export const listSchemaEntries = (): SchemaEntry[] =>
  listSharedSchemas().map(({ name, schema }) => ({
    name,
    type: formatSchema(schema),
    description: (schema as { readonly description?: string }).description,
    fields: toResponseFields(schema, name),
  }));

function toOperationEntry(name: string, operation: Operation): OperationEntry {
  const { method, path, version, input, output } = operation;
  return {
    ...toEntryHead({ name, method, path, version, input, isStream: false }, operation),
    role: operation.public ? undefined : operation.role,
    output: toResponseFields(output, name),
    outputSchema: getSchemaName(output),
  };
}

function toStreamEntry(name: string, stream: StreamOperation): OperationEntry {
  const { path, input, item } = stream;
  return {
    ...toEntryHead({ name, method: 'GET', path, input, isStream: true }, stream),
    role: stream.role,
    output: toResponseFields(item, name),
    outputSchema: getSchemaName(item),
  };
}

function toEntryHead(
  source: ExampleSource,
  { summary, errors }: { readonly summary: string; readonly errors: readonly ErrorCode[] },
): Omit<OperationEntry, 'role' | 'output' | 'outputSchema'> {
  const { name, isStream, method, path, version } = source;
  return {
    name,
    isStream,
    method,
    path,
    mount: version === 1 ? v1Prefix : apiPrefix,
    summary,
    input: toInputFields(source),
    errors: errors.map((code) => ({
      code,
      http: errorCodes[code].http,
      description: errorCodes[code].meaning,
    })),
    curl: (api, isGuarded) => buildCurl(source, { api, isGuarded }),
  };
}

function toInputFields({ name, method, path, input }: ExampleSource): FieldEntry[] {
  const inPath = listPathFields(path);
  const defaultLocation = sendsInputInQuery(method) ? 'query' : 'body';
  return toFields(input, (field, schema) => findInputFieldDescription(name, field, schema)).map((field) => ({
    ...field,
    location: inPath.includes(field.name) ? 'path' : defaultLocation,
  }));
}

/** @param owner operation or schema that contains the fields */
const toResponseFields = (schema: TSchema, owner: string): FieldEntry[] =>
  toFields(schema, (name, field) => findResponseFieldDescription(owner, name, field));

function toFields(
  schema: TSchema,
  getMeaning: (name: string, field: TSchema) => string | undefined,
): FieldEntry[] {
  const { properties = {}, required = [] } = schema as Partial<TObject>;
  return Object.entries(properties as Readonly<Record<string, TSchema>>).map(([name, field]) => ({
    name,
    type: formatType(field),
    required: (required as readonly string[]).includes(name),
    description: getMeaning(name, field) ?? '',
  }));
}

function getSchemaName(schema: TSchema): string | undefined {
  const type = formatType(schema);
  return /^[A-Z]\w+$/.test(type) ? type : undefined;
}

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
export const formatType = (schema: TSchema): string => findSchemaName(schema) ?? formatSchema(schema);

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'true or false',
  number: 'number',
  integer: 'integer',
  null: 'null',
};

/** Describes the type without names. */
function formatSchema(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf) return schema.anyOf.map((each) => formatType(each as TSchema)).join(' or ');
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'array') return `list of ${schema.items ? formatType(schema.items) : 'any'}`;
  if (schema.type === 'object') return formatObject(schema);
  return (simpleTypes[schema.type ?? ''] ?? 'any') + formatRange(schema);
}

function formatObject({ properties, patternProperties }: Schema): string {
  const [values] = Object.values(patternProperties ?? {});
  if (values) return `map of ${formatType(values)}`;
  const fields = Object.keys(properties ?? {});
  return fields.length === 0 ? 'record' : `{${fields.join(', ')}}`;
}

function formatRange(schema: Schema): string {
  const [minimum, maximum] = [schema.minimum, schema.maximum].map((limit) =>
    limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit,
  );
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  return maximum === undefined ? '' : `, at most ${maximum}`;
}
