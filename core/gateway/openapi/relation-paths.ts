import type { JsonObject } from '../../base/json.ts';
import type { Column, Relation } from '../catalog/catalog.ts';
import type { RelationAccess } from './access.ts';
import { filterKey, jsonPointerTo, shared } from './parameters.ts';

/** Describes the path of a relation, with the methods that the relation and the role's privileges allow. */
export function describePath(
  relation: Relation,
  columns: readonly Column[],
  access: RelationAccess,
): JsonObject {
  const [summary, ...rest] = (relation.comment ?? '').split('\n');
  const about = {
    tags: [relation.name],
    ...(summary !== '' && { summary }),
    ...(rest.length > 0 && { description: rest.join('\n').trim() }),
  };
  const filters = shared(...columns.map(({ name }) => filterKey(relation.name, name)));
  const body = shared(`body.${relation.name}`);
  const rows = { type: 'array', items: { $ref: jsonPointerTo('definitions', relation.name) } };
  const paging = shared('select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount');
  const changed = { 200: { description: 'OK', schema: rows }, 204: { description: 'No Content' } };
  return {
    ...(access.canSelect && {
      get: {
        ...about,
        parameters: [...filters, ...paging],
        responses: {
          200: { description: 'OK', schema: rows },
          206: { description: 'Partial Content', schema: rows },
        },
      },
    }),
    ...(relation.isInsertable &&
      access.canInsert && {
        post: {
          ...about,
          parameters: [...body, ...shared('select', 'on_conflict', 'preferPost')],
          responses: { 201: { description: 'Created' } },
        },
      }),
    ...(relation.isUpdatable &&
      access.canUpdate && {
        patch: { ...about, parameters: [...filters, ...body, ...shared('preferReturn')], responses: changed },
      }),
    ...(relation.isDeletable &&
      access.canDelete && {
        delete: { ...about, parameters: [...filters, ...shared('preferReturn')], responses: changed },
      }),
  };
}
