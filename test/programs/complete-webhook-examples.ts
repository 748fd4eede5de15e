import { writeFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../core/base/json.ts';
import { webhookEvents } from '../../core/webhooks/catalog.ts';
import { type Completion, type ExampleChange, findRawExample } from '../../core/webhooks/example-payload.ts';
import {
  unknownAccount,
  toRepositoryObject,
  localRepository,
} from '../../core/store/webhook-events/repository.ts';
import { findSchema, matchesPublishedSchema, publishedDocument } from '../core/webhooks/published-schemas.ts';

/**
 * Writes `core/webhooks/examples/completions.json`: for each event and action what its example needs to match
 * the schema of `@octokit/openapi-webhooks`. Run it after an update of the `@octokit` packages, and format
 * the file.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A schema, and its location in the published document. */
interface SchemaLocation {
  readonly schema: Schema;
  readonly pointer: string;
}

const readPointer = (pointer: string): Schema =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (value, part) =>
        (value as Record<string, unknown>)[
          decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
        ],
      publishedDocument,
    ) as Schema;

/** The target of a pointer, after resolving references. */
function placeAt(pointer: string): SchemaLocation {
  const schema = readPointer(pointer);
  return schema.$ref === undefined ? { schema, pointer } : placeAt(schema.$ref);
}

const below = ({ pointer }: SchemaLocation, ...parts: readonly (string | number)[]): SchemaLocation =>
  placeAt(
    [pointer, ...parts.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/'),
  );

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const getTypes = ({ type }: Schema): readonly string[] => [type ?? []].flat();

const formats: Readonly<Record<string, string>> = {
  uri: 'https://example.com/',
  'date-time': '2026-01-31T08:00:00Z',
  date: '2026-01-31',
  email: 'ann@example.com',
};

/** A value that matches a schema: null where allowed, and the name of the property for a string. */
function sample(location: SchemaLocation, name: string): JsonValue {
  const { schema } = location;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.find((one) => one !== null) ?? null;
  const several = schema.oneOf ? 'oneOf' : 'anyOf';
  const parts = schema.oneOf ?? schema.anyOf;
  if (parts) {
    const samples = parts.map((_, index) => sample(below(location, several, index), name));
    return samples.find((one) => one === null || matchesPublishedSchema(location.pointer, one)) ?? null;
  }
  const types = getTypes(schema);
  if (matchesPublishedSchema(location.pointer, null)) return null;
  if (schema.allOf || types.includes('object') || schema.properties)
    return fit(location, getStart(schema), name);
  if (types.includes('array'))
    return Array.from({ length: schema.minItems ?? 0 }, () => sample(below(location, 'items'), name));
  if (types.includes('integer') || types.includes('number')) return Math.max(1, schema.minimum ?? 1);
  if (types.includes('boolean')) return false;
  return formats[schema.format ?? ''] ?? name;
}

/** People and repositories are those of this home. */
function getStart({ required = [] }: Schema): JsonObject {
  if (required.includes('full_name')) return toRepositoryObject(localRepository);
  return required.includes('login') ? unknownAccount : {};
}

/** The value, with minimal changes to match. */
function fit(location: SchemaLocation, value: JsonValue | undefined, name: string): JsonValue {
  const { schema, pointer } = location;
  if (value === undefined) return sample(location, name);
  if (matchesPublishedSchema(pointer, value)) return value;
  for (const several of ['oneOf', 'anyOf'] as const) {
    const fitted = (schema[several] ?? []).map((_, index) =>
      fit(below(location, several, index), value, name),
    );
    const found = fitted
      .filter((one) => matchesPublishedSchema(pointer, one) && keepsAction(value, one))
      .toSorted((a, b) => getLength(a) - getLength(b))[0];
    if (found !== undefined) return found;
  }
  if (schema.allOf)
    return schema.allOf.reduce<JsonValue>(
      (one, _, index) => fit(below(location, 'allOf', index), one, name),
      value,
    );
  if (isObject(value) && (schema.properties || getTypes(schema).includes('object')))
    return fitObject(location, value);
  if (Array.isArray(value) && schema.items)
    return value.map((one) => fit(below(location, 'items'), one, name));
  return sample(location, name);
}

const getLength = (value: JsonValue): number => JSON.stringify(value).length;

const keepsAction = (before: JsonValue, after: JsonValue): boolean =>
  !isObject(before) || !isObject(after) || before['action'] === after['action'];

function fitObject(location: SchemaLocation, value: JsonObject): JsonObject {
  const { properties = {}, required = [], additionalProperties } = location.schema;
  const kept = Object.entries(value).filter(
    ([name]) => Object.hasOwn(properties, name) || additionalProperties !== false,
  );
  const fitted = kept.map(([name, one]): [string, JsonValue] => [
    name,
    Object.hasOwn(properties, name) ? fit(below(location, 'properties', name), one, name) : one,
  ]);
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name): [string, JsonValue] => [
      name,
      Object.hasOwn(properties, name) ? sample(below(location, 'properties', name), name) : null,
    ]);
  return Object.fromEntries([...fitted, ...missing]);
}

/** The difference between two values. */
function listChanges(before: JsonValue, after: JsonValue, path: ExampleChange['path'] = []): ExampleChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isSameList = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  if (isSameList) return after.flatMap((one, index) => listChanges(before[index]!, one, [...path, index]));
  if (!isObject(before) || !isObject(after)) return [{ path, value: after }];
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return [
    ...removed.map((name) => ({ path: [...path, name] })),
    ...Object.entries(after).flatMap(([name, value]) =>
      Object.hasOwn(before, name)
        ? listChanges(before[name]!, value, [...path, name])
        : [{ path: [...path, name], value }],
    ),
  ];
}

const completions = new Map<string, Completion>();
for (const event of webhookEvents) {
  const actions = event.actions === 'any' || event.actions.length === 0 ? [undefined] : event.actions;
  for (const action of actions) {
    const { payload } = findRawExample(event, action);
    const schema = findSchema(event.name, payload['action']);
    if (schema === undefined) {
      console.log(`no published schema: ${event.name} ${String(action)}`);
      continue;
    }
    const fitted = fit(placeAt(schema), payload, event.name);
    if (!matchesPublishedSchema(schema, fitted))
      console.log(`does not fit yet: ${event.name} ${String(action)}`);
    const changes = listChanges(payload, fitted);
    if (changes.length === 0) continue;
    const key = JSON.stringify([event.name, changes]);
    const known = completions.get(key)?.actions ?? [];
    const named = payload['action'];
    completions.set(key, {
      event: event.name,
      actions: [...known, ...(typeof named === 'string' ? [named] : [])],
      changes,
    });
  }
}
writeFileSync(
  new URL('../../core/webhooks/examples/completions.json', import.meta.url),
  `${JSON.stringify([...completions.values()])}\n`,
);
