import type { JsonObject } from '../../base/json.ts';
import type { Catalog, Column, Relation, Relationship } from '../catalog/catalog.ts';
import type { RelationAccess, SchemaAccess } from './access.ts';
import { describeColumn } from './column-schema.ts';
import { parametersOf, sharedParameters } from './parameters.ts';
import { describePath } from './relation-paths.ts';
import { describeRoutine } from './routine-paths.ts';

/** Input of an OpenAPI description. */
export interface DescribedSchema {
  readonly catalog: Catalog;
  readonly schema: string;
  /** Privileges of the requesting role. */
  readonly access: SchemaAccess;
  /** Path prefix: `/gateway`. */
  readonly mount: string;
}

/** The described part of the catalog. */
interface DescribedCatalog {
  readonly relation: Relation;
  readonly columns: readonly Column[];
  readonly access: RelationAccess;
}

const mediaTypes = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
];

/** Returns an OpenAPI 2.0 document of the objects in a schema that a role may use, in PostgREST's form. */
export function describeOpenApi({ catalog, schema, access, mount }: DescribedSchema): JsonObject {
  const [title, ...description] = (access.comment ?? '').split('\n');
  const described = catalog.relations.flatMap((relation): DescribedCatalog[] => {
    const rights = Object.hasOwn(access.relations, relation.name)
      ? access.relations[relation.name]
      : undefined;
    if (relation.schema !== schema || rights === undefined) return [];
    const columns = relation.columns.filter(({ name }) => rights.columns.includes(name));
    return [{ relation, columns, access: rights }];
  });
  const routines = Map.groupBy(
    catalog.routines.filter((routine) => routine.schema === schema && access.routines.includes(routine.name)),
    ({ name }) => name,
  );
  return {
    swagger: '2.0',
    info: {
      title: title === '' ? `The schema ${schema}` : title!,
      ...(description.length > 0 && { description: description.join('\n').trim() }),
      version: catalog.serverVersion,
    },
    basePath: mount === '' ? '/' : mount,
    consumes: [...mediaTypes],
    produces: [...mediaTypes],
    definitions: collect(described, (one) => [[one.relation.name, defineRows(one, catalog)]]),
    parameters: {
      ...sharedParameters,
      ...collect(described, (one) => Object.entries(parametersOf(one.relation, one.columns))),
    },
    paths: {
      '/': introspection,
      ...collect(described, (one) => [
        [`/${one.relation.name}`, describePath(one.relation, one.columns, one.access)],
      ]),
      ...collect([...routines], ([name, overloads]) => [[`/rpc/${name}`, describeRoutine(name, overloads)]]),
    },
  };
}

const introspection: JsonObject = {
  get: {
    tags: ['Introspection'],
    summary: 'This document',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' } },
  },
};

function defineRows({ relation, columns }: DescribedCatalog, catalog: Catalog): JsonObject {
  const required = columns.filter(({ isNullable }) => !isNullable).map(({ name }) => name);
  const all = catalog.relationshipsFrom(relation);
  const pointsToView = ({ to }: Relationship): boolean =>
    catalog.findRelation(to.schema, to.name)?.kind.endsWith('view') === true;
  const toTables = new Set(all.filter((way) => !pointsToView(way)).map(({ constraint }) => constraint));
  // A foreign key is described by its table; by views only if the table is not exposed.
  const ways = all.filter((way) => !pointsToView(way) || !toTables.has(way.constraint));
  return {
    type: 'object',
    ...(relation.comment !== null && { description: relation.comment }),
    ...(required.length > 0 && { required }),
    properties: collect(columns, (column) => [[column.name, describeColumn(column, relation, ways)]]),
  };
}

/** Builds an object from the entries of each item. Unlike assignment, this supports the key `__proto__`. */
const collect = <One>(
  all: readonly One[],
  entriesOf: (one: One) => readonly (readonly [string, unknown])[],
): JsonObject => Object.fromEntries(all.flatMap(entriesOf)) as JsonObject;
