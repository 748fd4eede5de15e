import { keyAliases } from '../../core/spec/spelling/key-aliases.ts';
import type { Schema, ShapeName } from './shapes.ts';

const aliasesOf = (shape: ShapeName | undefined): Readonly<Record<string, string>> =>
  Object.entries(keyAliases).find(([name]) => name === shape)?.[1] ?? {};

/** Adds older names and snake_case keys as deprecated. */
export function addDeprecatedNames(schema: Schema, shape: ShapeName | undefined): Schema {
  const aliases = Object.entries(aliasesOf(shape));
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
export function deprecate(schema: Schema, message: string): Schema {
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
