import { useLayoutEffect, useRef, useMemo, useState } from 'react';

/** Holds the value of the last render, for stable event handlers. */
export function useLatest<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Selection in a list. Items that leave the list leave the selection. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  toggle(key: string): void;
  /** Selects the range from the last toggled row to this one. */
  extendSelectionTo(key: string): void;
  setAllSelected(isSelected: boolean): void;
  /** Selects or deselects several rows. */
  setEach(keys: readonly string[], isSelected: boolean): void;
  clear(): void;
}

const none: ReadonlySet<string> = new Set();

/** @param all keys of all rows, in order */
export function useSelection(all: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(none);
  const [anchor, setAnchor] = useState<string>();
  const keys = useMemo(
    () => (chosen.size === 0 ? none : new Set(all.filter((key) => chosen.has(key)))),
    [all, chosen],
  );
  return {
    keys,
    toggle(key) {
      setAnchor(key);
      const next = new Set(keys);
      if (!next.delete(key)) next.add(key);
      setChosen(next);
    },
    extendSelectionTo(key) {
      const ends = [all.indexOf(anchor ?? key), all.indexOf(key)].map((index) => Math.max(0, index));
      setChosen(new Set([...keys, ...all.slice(Math.min(...ends), Math.max(...ends) + 1)]));
      if (anchor === undefined) setAnchor(key);
    },
    setAllSelected: (isSelected) => setChosen(isSelected ? new Set(all) : none),
    setEach(some, isSelected) {
      const next = new Set([...keys, ...some]);
      if (!isSelected) for (const key of some) next.delete(key);
      setChosen(next);
    },
    clear: () => setChosen(none),
  };
}

/**
 * Returns the rows, replacing each one that is equal to its previous version by that object, so that only
 * changed rows rerender.
 * @param rows rows whose fields are compared one by one, arrays by their contents
 */
export function useStableRows<Row extends object>(
  rows: readonly Row[],
  getKey: (row: Row) => string,
): readonly Row[] {
  const [keep] = useState(() => createRowReuser(getKey));
  return useMemo(() => keep(rows), [keep, rows]);
}

/** Returns a function that replaces equal rows by those of its previous call. */
export function createRowReuser<Row extends object>(
  getKey: (row: Row) => string,
): (rows: readonly Row[]) => readonly Row[] {
  let before: ReadonlyMap<string, Row> = new Map();
  return (rows) => {
    const reused = rows.map((row) => {
      const old = before.get(getKey(row));
      return old !== undefined && isSame(old, row) ? old : row;
    });
    before = new Map(reused.map((row) => [getKey(row), row]));
    return reused;
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
