import { normalizeKey } from '../../../../core/spec/spelling/fold-key.ts';
import type { SchemaPath } from './cursor-context.ts';

/** The parts of a JSON Schema used here. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean;
  readonly enumDescriptions?: readonly string[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

/** Returns the alternatives of a schema; a description above them applies to each. */
export function branchesOf(schema: Schema): readonly Schema[] {
  const schemas = [
    ...(schema.anyOf ?? []),
    ...[schema.then, schema.else].filter((subschema) => subschema !== undefined),
  ];
  if (schemas.length === 0) return [schema];
  return schemas.flatMap(branchesOf);
}

/** Finds a key of a map in the schema, in any spelling. */
export function findProperty(schema: Schema, key: string): { name: string; schema: Schema } | undefined {
  const properties = schema.properties ?? {};
  const own = properties[key];
  if (own) return { name: key, schema: own };
  const name = Object.keys(properties).find((known) => normalizeKey(known) === normalizeKey(key));
  return name === undefined ? undefined : { name, schema: properties[name]! };
}

/**
 * Returns the schemas of the values at a path. There are several when the document is ambiguous and none for
 * unknown keys.
 */
export function walkSchema(root: Schema, path: SchemaPath): readonly Schema[] {
  let found: readonly Schema[] = [root];
  for (const step of path)
    found = found.flatMap((schema) => branchesOf(schema).flatMap((one) => childOf(one, step)));
  return found;
}

function childOf(schema: Schema, step: string | 0): readonly Schema[] {
  if (step === 0) return schema.items ? [schema.items] : [];
  const property = findProperty(schema, step);
  if (property) return [property.schema];
  const patterns = Object.values(schema.patternProperties ?? {});
  if (patterns.length > 0) return patterns;
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

/** Returns the keys of a map at a path, with their schemas. */
export function keysAt(root: Schema, path: SchemaPath): ReadonlyMap<string, Schema> {
  const keys = new Map<string, Schema>();
  for (const schema of walkSchema(root, path))
    for (const branch of branchesOf(schema))
      for (const [key, value] of Object.entries(branch.properties ?? {}))
        if (!keys.has(key)) keys.set(key, value);
  return keys;
}

/** A value that the schema lists. */
export interface NamedValue {
  readonly value: string;
  readonly description?: string;
}

/** Returns the values that a schema lists, including true and false for booleans. */
export function enumValuesOf(schema: Schema): readonly NamedValue[] {
  return branchesOf(schema).flatMap((branch): NamedValue[] => {
    if (branch.enum)
      return branch.enum.map((value, index) => {
        const description = branch.enumDescriptions?.[index];
        return { value: String(value), ...(description !== undefined && { description }) };
      });
    if (branch.const !== undefined) return [{ value: String(branch.const) }];
    return branch.type === 'boolean' ? [{ value: 'true' }, { value: 'false' }] : [];
  });
}

/** Whether a value of the schema is a map or a list, so that it begins on its own lines. */
export function blockKindOf(schema: Schema): 'map' | 'list' | undefined {
  const branches = branchesOf(schema);
  if (branches.some(({ type }) => type === 'string' || type === 'boolean' || type === 'number'))
    return undefined;
  if (branches.some(({ type }) => type === 'array')) return 'list';
  return branches.some(({ type }) => type === 'object') ? 'map' : undefined;
}
