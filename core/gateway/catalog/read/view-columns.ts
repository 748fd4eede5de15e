/** A view column that shows a table column unchanged. */
export interface ViewColumn {
  readonly column: number;
  readonly table: number;
  readonly tableColumn: number;
}

/** Traced columns by view. A view without traced columns has an empty entry. */
export type ViewColumns = ReadonlyMap<number, readonly ViewColumn[]>;

/** The definition of a view as PostgreSQL stores it. */
export interface ViewRow {
  readonly oid: number;
  readonly definition: string;
}

/** All user views, because an exposed view may select from one that is not exposed. */
export const viewRowsSql = `
select c.oid::int8 as "oid", r.ev_action::text as "definition"
from pg_rewrite r join pg_class c on c.oid = r.ev_class
where r.rulename = '_RETURN' and c.relkind in ('v', 'm')
  and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;

/** Traces view columns through nested views to tables. */
export function traceViewColumns(rows: readonly ViewRow[]): ViewColumns {
  const direct = new Map(rows.map(({ oid, definition }) => [oid, readTargets(definition)]));
  const follow = (origin: ViewColumn): ViewColumn | undefined => {
    let at: ViewColumn | undefined = origin;
    // CREATE OR REPLACE VIEW can create views that refer to themselves, directly or not. These lead to no table.
    for (let views = 0; at !== undefined && views <= direct.size; views += 1) {
      const below = direct.get(at.table);
      if (below === undefined) return { ...at, column: origin.column };
      const { tableColumn }: ViewColumn = at;
      at = below.find(({ column }) => column === tableColumn);
    }
    return undefined;
  };
  return new Map(
    [...direct].map(([oid, targets]) => [oid, targets.map(follow).filter((target) => target !== undefined)]),
  );
}

/**
 * Returns the columns of the outermost target list of a view definition. PostgreSQL prints a tree, `{TARGETENTRY :expr
 * {…} :resno 1 … :resorigtbl 16385 :resorigcol 1 …}`, which contains the origin of each column; computed columns and
 * unions have none. Targets of subqueries are nested deeper.
 */
function readTargets(definition: string): ViewColumn[] {
  const targets: ViewColumn[] = [];
  for (const entry of outermostEntries(definition)) {
    const [column, table, tableColumn] = ['resno', 'resorigtbl', 'resorigcol'].map((field) =>
      lastNumber(entry, field),
    );
    if (column && table && tableColumn) targets.push({ column, table, tableColumn });
  }
  return targets;
}

/** Returns the entries directly below the query: `({QUERY … :targetList ({TARGETENTRY …} …) …})`. */
function outermostEntries(definition: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let start = 0;
  // A backslash escapes the next character of a name.
  for (const { 0: token, index } of definition.matchAll(/\\[^]|[{}]/g)) {
    if (token === '{') {
      depth += 1;
      if (depth === 2) start = index;
    } else if (token === '}') {
      if (depth === 2 && definition.startsWith('{TARGETENTRY', start))
        entries.push(definition.slice(start, index));
      depth -= 1;
    }
  }
  return entries;
}

/**
 * Returns the last number of a field. An entry's own fields follow its expression, which may contain subqueries with
 * targets.
 */
function lastNumber(entry: string, field: string): number {
  const start = entry.lastIndexOf(` :${field} `);
  return start === -1 ? 0 : Number.parseInt(entry.slice(start + field.length + 3), 10);
}
