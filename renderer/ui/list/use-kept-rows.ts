import { useMemo, useState } from 'react';

/**
 * The same rows, where a row that says what it has said before is the object that it has been: a list draws only
 * those anew that have changed.
 * @param rows each with fields that are compared one by one, lists by what they hold
 */
export function useKeptRows<Row extends object>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const [keep] = useState(() => makeRowKeeper(keyOf));
  return useMemo(() => keep(rows), [keep, rows]);
}

/** Puts the rows of the call before into the place of equal ones. */
export function makeRowKeeper<Row extends object>(
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
