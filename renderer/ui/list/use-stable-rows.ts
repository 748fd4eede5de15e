import { useMemo, useState } from 'react';

/**
 * Returns the rows, replacing each one that is equal to its previous version by that object, so that only
 * changed rows rerender.
 * @param rows rows whose fields are compared one by one, arrays by their contents
 */
export function useStableRows<Row extends object>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const [keep] = useState(() => createRowReuser(keyOf));
  return useMemo(() => keep(rows), [keep, rows]);
}

/** Returns a function that replaces equal rows by those of its previous call. */
export function createRowReuser<Row extends object>(
  keyOf: (row: Row) => string,
): (rows: readonly Row[]) => readonly Row[] {
  let before: ReadonlyMap<string, Row> = new Map();
  return (rows) => {
    const kept = rows.map((row) => {
      const old = before.get(keyOf(row));
      return old !== undefined && isSame(old, row) ? old : row;
    });
    before = new Map(kept.map((row) => [keyOf(row), row]));
    return kept;
  };
}

function isSame(one: object, other: object): boolean {
  const fields = Object.entries(one);
  const others = other as Readonly<Record<string, unknown>>;
  return (
    fields.length === Object.keys(other).length &&
    fields.every(([name, value]) => isEqual(value, others[name]))
  );
}

const isEqual = (one: unknown, other: unknown): boolean =>
  Object.is(one, other) ||
  (Array.isArray(one) &&
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((value, index) => Object.is(value, other[index])));
