import type {
  QualifiedName,
  Representation,
  ResultColumn,
  Routine,
  RoutineParameter,
  ComputedColumn,
  Relation,
  Relationship,
} from './catalog.ts';
import { getKey } from './stored-catalog.ts';
import { domainBases } from './relations.ts';

type Typed<Part> = Part & { readonly type: number };

/** A row of {@link routineRowsSql}. */
export interface RoutineRow extends QualifiedName {
  /** Parameters with type numbers. For a VARIADIC parameter, the type of each element. */
  readonly parameters: readonly Typed<RoutineParameter>[];
  readonly volatility: Routine['volatility'];
  readonly isSet: boolean;
  readonly result: Routine['result'];
  readonly resultType: number;
  readonly resultTypeSql: string;
  readonly resultSchema: string | null;
  readonly resultName: string | null;
  readonly isRowType: boolean;
  readonly resultColumns: readonly Typed<ResultColumn>[];
  readonly comment: string | null;
}

/**
 * Functions in the schemas `$1` (a JSON array) that requests can call: all parameters are named, or the only parameter
 * has a type that can hold a request body. Input parameters are in call order. Output parameters make the result
 * composite; PostgreSQL generates missing names. Types are printed with "no modifier", because `char` would otherwise
 * print as length 1. The filter is written so that PostgreSQL does not expand its 3,000 built-in functions.
 */
export const routineRowsSql = `
with recursive ${domainBases}, chosen as materialized (
  select p.*, n.nspname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.prokind = 'f' and n.nspname in (select json_array_elements_text($1::json))
)
select p.nspname as "schema", p.proname as "name", coalesce(arguments.list, '[]') as "parameters",
  case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as "volatility",
  p.proretset as "isSet",
  case when r.oid = 'void'::regtype then 'void'
    when base.typtype = 'c' or coalesce(p.proargmodes && '{o,b,t}'::"char"[], false) then 'composite'
    else 'scalar' end as "result",
  base.typtype = 'c' as "isRowType", coalesce(results.list, '[]') as "resultColumns",
  r.oid::int8 as "resultType", format_type(r.oid, -1) as "resultTypeSql", rn.nspname as "resultSchema", rc.relname as "resultName",
  obj_description(p.oid, 'pg_proc') as "comment"
from chosen p join pg_type r on r.oid = p.prorettype
  join pg_type base on base.oid = case when r.typtype = 'd' then r.typbasetype else r.oid end
  left join pg_class rc on rc.oid = base.typrelid and rc.relkind in ('r', 'v', 'm', 'f', 'p')
  left join pg_namespace rn on rn.oid = rc.relnamespace
  left join lateral (
    select json_agg(json_build_object('name', coalesce(name, ''), 'typeSql', format_type(type, -1),
        'type', case mode when 'v' then (select typelem from pg_type where oid = type) else type end::int8,
        'isRequired', place <= p.pronargs - p.pronargdefaults, 'isVariadic', coalesce(mode = 'v', false))
        order by place) as list,
      count(*) filter (where coalesce(name, '') = '') as nameless, count(*) as total,
      bool_and(type in ('json'::regtype, 'jsonb'::regtype, 'text'::regtype, 'xml'::regtype, 'bytea'::regtype))
        as is_body
    from (
      select every.type, every.name, every.mode, row_number() over (order by every.place) as place
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes)
        with ordinality as every (type, name, mode, place)
      where every.type is not null and coalesce(every.mode, 'i') in ('i', 'b', 'v')
    ) as input
  ) as arguments on true
  left join lateral (
    select json_agg(json_build_object('name', output.name, 'type', output.type::int8,
        'typeSql', format_type(output.type, output.typmod),
        'baseTypeSql', format_type(coalesce(b.type, output.type), -1),
        'comparedAs', (select format_type(e.oid, -1) from pg_type e where e.oid = b.type and e.typtype = 'e')) order by output.place) as list
    from (
      select coalesce(nullif(every.name, ''), 'column' || row_number() over (order by every.place)) as name,
        every.type, -1 as typmod, every.place
      from unnest(p.proallargtypes, p.proargnames, p.proargmodes) with ordinality as every (type, name, mode, place)
      where every.mode in ('o', 'b', 't')
      union all
      select a.attname, a.atttypid, a.atttypmod, a.attnum from pg_attribute a
      where a.attrelid = base.typrelid and a.attnum > 0 and not a.attisdropped
        and not coalesce(p.proargmodes && '{o,b,t}'::"char"[], false)
    ) as output left join domain_base b on b.domain = output.type
  ) as results on true
where r.oid not in ('trigger'::regtype, 'event_trigger'::regtype)
  and (arguments.nameless = 0 or arguments.total = 1 and arguments.is_body)
order by p.nspname, p.proname, p.oid`;

/** Builds a routine with its conversions. The result relation is set only if it is exposed. */
export function makeRoutine(
  { resultSchema, resultName, resultType, ...routine }: RoutineRow,
  exposed: ReadonlySet<string>,
  representations: ReadonlyMap<number, Representation>,
): Routine {
  const resultRelation =
    resultSchema === null || resultName === null ? null : { schema: resultSchema, name: resultName };
  const isExposed = resultRelation !== null && exposed.has(getKey(resultRelation));
  const resultRepresentation = representations.get(resultType);
  const present = <Part extends object>({ type, ...part }: Typed<Part>) => {
    const representation = representations.get(type);
    return { ...part, ...(representation && { representation }) };
  };
  return {
    ...routine,
    parameters: routine.parameters.map(present),
    resultColumns: routine.resultColumns.map(present),
    ...(resultRepresentation && { resultRepresentation }),
    resultRelation: isExposed ? resultRelation : null,
  };
}

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
    const key = getKey(getArgument(row));
    const relationColumns = found.get(key) ?? new Map<string, ComputedColumn>();
    if (!relationColumns.has(row.name))
      relationColumns.set(row.name, makeComputedColumn(row, representations));
    found.set(key, relationColumns);
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
  const exposed = new Set(relations.map(getKey));
  return rows.flatMap((row): Relationship[] => {
    if (row.resultSchema === null || row.resultName === null) return [];
    const [from, to] = [getArgument(row), { schema: row.resultSchema, name: row.resultName }];
    if (!exposed.has(getKey(from)) || !exposed.has(getKey(to))) return [];
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
  const taken = new Set(computed.map(({ from, constraint }) => `${getKey(from)}\0${constraint}`));
  return [...found.filter(({ from, to }) => !taken.has(`${getKey(from)}\0${to.name}`)), ...computed];
}

const getArgument = ({ argumentSchema, argumentName }: RowFunctionRow): QualifiedName => ({
  schema: argumentSchema,
  name: argumentName,
});

const sortBySearchPath = (schemas: readonly string[], rows: readonly RowFunctionRow[]): RowFunctionRow[] =>
  rows.toSorted((left, right) => schemas.indexOf(left.schema) - schemas.indexOf(right.schema));
