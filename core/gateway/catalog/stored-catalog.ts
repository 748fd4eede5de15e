import { findNearest } from '../../base/text.ts';
import type {
  Catalog,
  ComputedColumn,
  QualifiedName,
  Relation,
  Relationship,
  Representation,
  Role,
  RoleSettings,
  Routine,
} from './catalog.ts';

/** Data of a catalog. */
export interface CatalogContent {
  readonly schemas: readonly string[];
  readonly serverVersion: string;
  readonly readAt: number;
  readonly relations: readonly Relation[];
  readonly representations: readonly Representation[];
  readonly relationships: readonly Relationship[];
  readonly routines: readonly Routine[];
  /** Computed columns by name, for each relation by {@link getKey}. */
  readonly computedColumns: ReadonlyMap<string, ReadonlyMap<string, ComputedColumn>>;
  /** SQL of each type by the name in a request, lower case unless only the quoted form is valid. */
  readonly types: ReadonlyMap<string, string>;
  readonly roles: readonly Role[];
  readonly roleSettings: ReadonlyMap<string, RoleSettings>;
}

/** Returns a map key of schema and name. NUL cannot occur in either. */
export const getKey = ({ schema, name }: QualifiedName): string => `${schema}\0${name}`;

const noColumns: ReadonlyMap<string, ComputedColumn> = new Map();

/** A catalog with indexes for lookup by name. */
export class StoredCatalog implements Catalog {
  readonly schemas: readonly string[];
  readonly relations: readonly Relation[];
  readonly routines: readonly Routine[];
  readonly representations: readonly Representation[];
  readonly readAt: number;
  readonly serverVersion: string;
  readonly #content: CatalogContent;
  readonly #relations: ReadonlyMap<string, Relation>;
  readonly #routines: ReadonlyMap<string, readonly Routine[]>;
  readonly #roles: ReadonlyMap<string, Role>;
  readonly #relationships: ReadonlyMap<string, readonly Relationship[]>;

  constructor(content: CatalogContent) {
    this.schemas = content.schemas;
    this.relations = content.relations;
    this.routines = content.routines;
    this.representations = content.representations;
    this.readAt = content.readAt;
    this.serverVersion = content.serverVersion;
    this.#content = content;
    this.#relations = new Map(content.relations.map((relation) => [getKey(relation), relation]));
    this.#routines = Map.groupBy(content.routines, getKey);
    this.#roles = new Map(content.roles.map((role) => [role.name, role]));
    this.#relationships = Map.groupBy(content.relationships, ({ from }) => getKey(from));
  }

  findRelation(schema: string, name: string): Relation | undefined {
    return this.#relations.get(getKey({ schema, name }));
  }

  findRoutines(schema: string, name: string): readonly Routine[] {
    return this.#routines.get(getKey({ schema, name })) ?? [];
  }

  relationshipsFrom(from: QualifiedName): readonly Relationship[] {
    return this.#relationships.get(getKey(from)) ?? [];
  }

  computedColumns(relation: QualifiedName): ReadonlyMap<string, ComputedColumn> {
    return this.#content.computedColumns.get(getKey(relation)) ?? noColumns;
  }

  findRole(name: string): Role | undefined {
    return this.#roles.get(name);
  }

  roleSettings(role: string): RoleSettings | undefined {
    return this.#content.roleSettings.get(role);
  }

  findType(name: string): string | undefined {
    const trimmed = name.trim().replaceAll(/\s+/g, ' ');
    const element = trimmed.replace(/ ?\[\]$/, '');
    const { types } = this.#content;
    const find = (text: string): string | undefined => types.get(text) ?? types.get(text.toLowerCase());
    const sql = find(element);
    if (sql !== undefined) return element === trimmed ? sql : `${sql}[]`;
    // PostgreSQL's internal names of array types: _int4.
    const elementSql = element.startsWith('_') ? find(element.slice(1)) : undefined;
    return elementSql === undefined ? undefined : `${elementSql}[]`;
  }

  nearestRelation(schema: string, name: string): string | undefined {
    return findNearestName(name, namesInSchema(schema, this.relations));
  }

  nearestRoutine(schema: string, name: string): string | undefined {
    return findNearestName(name, namesInSchema(schema, this.routines));
  }
}

/**
 * Returns the nearest name. Longer names than PostgreSQL's 63 bytes are not compared, nor more than 2,000 names, which
 * would be too slow for a hint.
 */
const findNearestName = (name: string, names: readonly string[]): string | undefined =>
  name.length > 63 || names.length > 2_000 ? undefined : findNearest(name, names);

const namesInSchema = (schema: string, all: readonly QualifiedName[]): string[] =>
  all.filter((one) => one.schema === schema).map(({ name }) => name);
