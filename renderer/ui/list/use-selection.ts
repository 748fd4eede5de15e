import { useMemo, useState } from 'react';

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
