import type { Relation, ResultColumn } from '../../catalog/catalog.ts';
import { name, type Sql, sql } from '../sql.ts';

/** What the columns of one level are taken from: a table under its alias, rows of a function, or rows just written. */
export interface Source {
  /** Absent for rows of a function that are of no relation. */
  readonly relation: Relation | undefined;
  /** Absent when they are not known. */
  readonly columns: readonly ResultColumn[] | undefined;
  readonly alias: string;
  /** A stored value, as it is. */
  column(column: string): Sql;
  /** The row as one value of the relation's row type, for functions that take it. */
  wholeRow(): Sql;
  /** All columns at once; undefined when they have to be listed. */
  everything(): Sql | undefined;
}

/** Columns straight from what stands in FROM under an alias. */
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

/** No column can be called so by somebody who means well. */
const wholeRowName = 'stepwright whole row';

/**
 * Columns of rows that a CTE gives back, which must name what is asked of it: only that, since a role may be allowed to
 * read some columns and not others. Ask for {@link returned} when all else is planned.
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

  /** What the CTE must select or return, where the relation itself goes by `alias`. Empty when nothing was asked. */
  returned(alias: string): readonly Sql[] {
    const columns = [...this.#columns].map((column) => sql`${name(alias, column)} AS ${name(column)}`);
    return this.#givesWholeRow ? [...columns, sql`${name(alias)} AS ${name(wholeRowName)}`] : columns;
  }
}
