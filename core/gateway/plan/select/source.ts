import type { Relation, ResultColumn } from '../../catalog/catalog.ts';
import { name, type Sql, sql } from '../sql.ts';

/** Source of a level's columns: a table under its alias, rows of a function, or written rows. */
export interface Source {
  /** Absent for function rows that belong to no relation. */
  readonly relation: Relation | undefined;
  /** Absent if unknown. */
  readonly columns: readonly ResultColumn[] | undefined;
  readonly alias: string;
  /** Returns the stored value of a column. */
  column(column: string): Sql;
  /** Returns the row as a value of the relation's row type, for functions that take it. */
  wholeRow(): Sql;
  /** Returns `*`; undefined if columns must be listed. */
  everything(): Sql | undefined;
}

/** Returns a source that reads columns directly from a FROM item. */
export function directSource(
  alias: string,
  relation: Relation | undefined,
  columns: readonly ResultColumn[] | undefined = relation?.columns,
): Source {
  return {
    relation,
    columns,
    alias,
    column: (column) => name(alias, column),
    wholeRow: () => sql`${name(alias)}.*`,
    everything: () => sql`${name(alias)}.*`,
  };
}

/** Contains spaces, so that it does not conflict with column names. */
const wholeRowName = 'stepwright whole row';

/**
 * Columns of a CTE, which must return only the requested columns, because a role may be allowed to read only some.
 * Call {@link returned} after everything else is planned.
 */
export class ReturnedSource implements Source {
  readonly relation: Relation;
  readonly columns: readonly ResultColumn[];
  readonly alias: string;
  readonly #columns = new Set<string>();
  #givesWholeRow = false;

  constructor(alias: string, relation: Relation) {
    this.relation = relation;
    this.columns = relation.columns;
    this.alias = alias;
  }

  column(column: string): Sql {
    this.#columns.add(column);
    return name(this.alias, column);
  }

  wholeRow(): Sql {
    this.#givesWholeRow = true;
    return name(this.alias, wholeRowName);
  }

  everything(): undefined {
    return undefined;
  }

  /** Returns the columns that the CTE must return, with the relation under `alias`. Empty if none was requested. */
  returned(alias: string): readonly Sql[] {
    const columns = [...this.#columns].map((column) => sql`${name(alias, column)} AS ${name(column)}`);
    return this.#givesWholeRow ? [...columns, sql`${name(alias)} AS ${name(wholeRowName)}`] : columns;
  }
}
