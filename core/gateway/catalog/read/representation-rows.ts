import type { Conversion, Representation } from '../catalog.ts';

/** An implicit cast of a domain by a function. */
export interface RepresentationRow extends Conversion {
  readonly type: number;
  readonly schema: string;
  readonly name: string;
  readonly use: 'response' | 'filter' | 'body';
}

/**
 * Implicit casts by function between a domain and text or json, in any schema. Assignment casts, I/O casts, casts
 * without a function and jsonb do not define a presentation. The connecting role must be allowed to call the function.
 * The function may take a type that the source can be coerced to, which needs a cast. A function with further required
 * arguments, such as a type modifier, is excluded.
 */
export const representationRowsSql = `
select d.oid::int8 as "type", n.nspname as "schema", d.typname as "name",
  case when d.oid = k.castsource then 'response' when k.castsource = 'text'::regtype then 'filter'
    else 'body' end as "use",
  format('%I.%I', pn.nspname, p.proname) as "functionSql",
  format_type(p.proargtypes[0], -1) as "argumentTypeSql",
  case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as "volatility"
from pg_cast k
  join pg_type d on d.typtype = 'd' and (
    d.oid = k.castsource and k.casttarget = 'json'::regtype
    or d.oid = k.casttarget and k.castsource in ('json'::regtype, 'text'::regtype))
  join pg_namespace n on n.oid = d.typnamespace
  join pg_proc p on p.oid = k.castfunc join pg_namespace pn on pn.oid = p.pronamespace
where k.castcontext = 'i' and k.castmethod = 'f' and p.pronargs - p.pronargdefaults <= 1
  and has_function_privilege(p.oid, 'execute')
order by n.nspname, d.typname, "use"`;

/** Groups the conversions by type number of the domain. */
export function collectRepresentations(rows: readonly RepresentationRow[]): Map<number, Representation> {
  const found = new Map<number, Representation>();
  for (const { type, schema, name, use, functionSql, argumentTypeSql, volatility } of rows) {
    const known = found.get(type) ?? { domain: { schema, name } };
    found.set(type, { ...known, [use]: { functionSql, argumentTypeSql, volatility } });
  }
  return found;
}
