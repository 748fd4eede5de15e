/** A column of a view that is nothing but a column of a table. */
export interface ViewColumn {
  readonly column: number;
  readonly table: number;
  readonly tableColumn: number;
}

/** For each view the columns that could be traced; a view has an entry even when none could. */
export type ViewColumns = ReadonlyMap<number, readonly ViewColumn[]>;

/** The definition of a view as PostgreSQL keeps it. */
export interface ViewRow {
  readonly oid: number;
  readonly definition: string;
}

/** All views of users: one that is exposed may be made of one that is not. */
export const viewRowsSql = `
select c.oid::int8 as "oid", r.ev_action::text as "definition"
from pg_rewrite r join pg_class c on c.oid = r.ev_class
where r.rulename = '_RETURN' and c.relkind in ('v', 'm')
  and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;

/** What a view of views shows, followed down to tables. */
export function traceViewColumns(rows: readonly ViewRow[]): ViewColumns {
  const direct = new Map(rows.map(({ oid, definition }) => [oid, readTargets(definition)]));
  const follow = (origin: ViewColumn): ViewColumn | undefined => {
    let at: ViewColumn | undefined = origin;
    // CREATE OR REPLACE VIEW can make views that refer to themselves, by way of others or not: they lead to no table.
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
 * The columns in the outermost target list of a definition. PostgreSQL prints a tree, `{TARGETENTRY :expr {…} :resno 1
 * … :resorigtbl 16385 :resorigcol 1 …}`, and tells itself where a column comes from: nowhere when it is computed or
 * from a union. Targets of inner queries are deeper in the tree.
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

/** Texts of the entries directly below the query itself: `({QUERY … :targetList ({TARGETENTRY …} …) …})`. */
function outermostEntries(definition: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let start = 0;
  // A backslash makes the next character part of a name.
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

/** The entry's own fields come after its expression, which may have inner queries with targets of their own. */
function lastNumber(entry: string, field: string): number {
  const start = entry.lastIndexOf(` :${field} `);
  return start === -1 ? 0 : Number.parseInt(entry.slice(start + field.length + 3), 10);
}
