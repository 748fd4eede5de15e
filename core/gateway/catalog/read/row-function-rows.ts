import type { ComputedColumn, QualifiedName, Relation, Relationship, Representation } from '../catalog.ts';
import { keyOf } from '../stored-catalog.ts';
import { domainBases } from './column-rows.ts';

/** A function whose only argument is a row of a relation. */
export interface RowFunctionRow {
  readonly schema: string;
  readonly name: string;
  readonly functionSql: string;
  readonly argumentSchema: string;
  readonly argumentName: string;
  readonly resultType: number;
  readonly typeSql: string;
  readonly comparedAs: string | null;
  /** Relation whose rows the function returns; null if it returns a value. */
  readonly resultSchema: string | null;
  readonly resultName: string | null;
  /** At most one row: not a set, or declared with ROWS 1. */
  readonly isSingle: boolean;
  readonly isSet: boolean;
}

/** Functions of a row type, in the schemas `$1` (a JSON array). */
export const rowFunctionRowsSql = `
with recursive ${domainBases}
select n.nspname as "schema", p.proname as "name", format('%I.%I', n.nspname, p.proname) as "functionSql",
  an.nspname as "argumentSchema", ac.relname as "argumentName",
  r.oid::int8 as "resultType", format_type(r.oid, -1) as "typeSql",
  case when b.typtype = 'e' then format_type(b.oid, -1) end as "comparedAs",
  rn.nspname as "resultSchema", rc.relname as "resultName",
  not p.proretset or p.prorows = 1 as "isSingle", p.proretset as "isSet"
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  join pg_type a on a.oid = p.proargtypes[0] join pg_class ac on ac.oid = a.typrelid
  join pg_namespace an on an.oid = ac.relnamespace
  join pg_type r on r.oid = p.prorettype
  left join domain_base base on base.domain = r.oid left join pg_type b on b.oid = base.type
  left join pg_class rc on rc.oid = r.typrelid and rc.relkind in ('r', 'v', 'm', 'f', 'p')
  left join pg_namespace rn on rn.oid = rc.relnamespace
where p.prokind = 'f' and p.pronargs = 1 and (r.typtype <> 'p' or rc.oid is not null)
  and n.nspname in (select json_array_elements_text($1::json))
order by n.nspname, p.proname, p.oid`;

/** Groups computed columns by relation key and name. Earlier schemas win. */
export function collectComputedColumns(
  rows: readonly RowFunctionRow[],
  schemas: readonly string[],
  representations: ReadonlyMap<number, Representation>,
): Map<string, ReadonlyMap<string, ComputedColumn>> {
  const found = new Map<string, Map<string, ComputedColumn>>();
  for (const row of sortBySearchPath(schemas, rows)) {
    if (row.resultName !== null || row.isSet) continue;
    const key = keyOf(argumentOf(row));
    const ofRelation = found.get(key) ?? new Map<string, ComputedColumn>();
    if (!ofRelation.has(row.name)) ofRelation.set(row.name, makeComputedColumn(row, representations));
    found.set(key, ofRelation);
  }
  return found;
}

function makeComputedColumn(
  { functionSql, typeSql, comparedAs, resultType }: RowFunctionRow,
  representations: ReadonlyMap<number, Representation>,
): ComputedColumn {
  const representation = representations.get(resultType);
  return { functionSql, typeSql, comparedAs, ...(representation && { representation }) };
}

/** Builds computed relationships between exposed relations. Requests embed them by function name. */
export function makeComputedRelationships(
  rows: readonly RowFunctionRow[],
  relations: readonly Relation[],
): Relationship[] {
  const exposed = new Set(relations.map(keyOf));
  return rows.flatMap((row): Relationship[] => {
    if (row.resultSchema === null || row.resultName === null) return [];
    const [from, to] = [argumentOf(row), { schema: row.resultSchema, name: row.resultName }];
    if (!exposed.has(keyOf(from)) || !exposed.has(keyOf(to))) return [];
    return [
      {
        from,
        to,
        cardinality: row.isSingle ? 'many-to-one' : 'one-to-many',
        constraint: row.name,
        columns: [],
        computedBy: row.functionSql,
        isOwned: false,
      },
    ];
  });
}

/**
 * Replaces a detected relationship by a computed one of the same two relations if the function has the name of the
 * target.
 */
export function overrideRelationships(
  found: readonly Relationship[],
  computed: readonly Relationship[],
): Relationship[] {
  const taken = new Set(computed.map(({ from, constraint }) => `${keyOf(from)}\0${constraint}`));
  return [...found.filter(({ from, to }) => !taken.has(`${keyOf(from)}\0${to.name}`)), ...computed];
}

const argumentOf = ({ argumentSchema, argumentName }: RowFunctionRow): QualifiedName => ({
  schema: argumentSchema,
  name: argumentName,
});

const sortBySearchPath = (schemas: readonly string[], rows: readonly RowFunctionRow[]): RowFunctionRow[] =>
  rows.toSorted((left, right) => schemas.indexOf(left.schema) - schemas.indexOf(right.schema));
