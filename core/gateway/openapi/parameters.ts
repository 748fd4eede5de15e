import type { JsonObject } from '../../base/json.ts';
import type { Column, Relation } from '../catalog/catalog.ts';

const queryText = (name: string, description: string): JsonObject => ({
  name,
  in: 'query',
  required: false,
  type: 'string',
  description,
});

const headerText = (name: string, description: string, defaultValue?: string): JsonObject => ({
  name,
  in: 'header',
  required: false,
  type: 'string',
  description,
  ...(defaultValue !== undefined && { default: defaultValue }),
});

const prefer = (...values: readonly string[]): JsonObject => ({
  name: 'Prefer',
  in: 'header',
  required: false,
  type: 'string',
  description: 'Preference',
  enum: [...values],
});

const returns = ['return=representation', 'return=minimal', 'return=headers-only'];

/** Parameters that all relations share, with PostgREST's names. */
export const sharedParameters: JsonObject = {
  preferReturn: prefer(...returns),
  preferCount: prefer('count=exact', 'count=planned', 'count=estimated'),
  preferPost: prefer(...returns, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'),
  select: queryText('select', 'Columns and related resources'),
  on_conflict: queryText('on_conflict', 'Columns of the unique key for conflict resolution'),
  order: queryText('order', 'Ordering'),
  range: headerText('Range', 'First and last row'),
  rangeUnit: headerText('Range-Unit', 'Unit of the range', 'items'),
  offset: queryText('offset', 'Number of rows to skip'),
  limit: queryText('limit', 'Maximum number of rows'),
};

/** Returns the parameters of a relation: its rows as a body, and a filter per column. */
export function parametersOf(relation: Relation, columns: readonly Column[]): JsonObject {
  const { name } = relation;
  const filters = columns.map((column) => [
    filterKey(name, column.name),
    { ...queryText(column.name, column.comment ?? ''), format: column.typeSql },
  ]);
  return {
    [`body.${name}`]: {
      name,
      in: 'body',
      required: false,
      description: relation.comment ?? name,
      schema: { $ref: jsonPointerTo('definitions', name) },
    },
    ...(Object.fromEntries(filters) as JsonObject),
  };
}

export const filterKey = (relation: string, column: string): string => `rowFilter.${relation}.${column}`;

/** Returns an escaped JSON pointer into the document. */
export const jsonPointerTo = (part: 'definitions' | 'parameters', name: string): string =>
  `#/${part}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;

export const shared = (...names: readonly string[]): JsonObject[] =>
  names.map((name) => ({ $ref: jsonPointerTo('parameters', name) }));
