import { useState } from 'react';

/** A script that was run. */
export interface PastSql {
  readonly sql: string;
  /** ISO 8601. */
  readonly at: string;
}

const maxEntries = 50;
const maxLength = 20_000;

const keyFor = (user: string): string => `stepwright.sql-history.${user}`;

function readHistory(user: string): readonly PastSql[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyFor(user)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPastSql) : [];
  } catch {
    return [];
  }
}

const isPastSql = (value: unknown): value is PastSql =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as PastSql).sql === 'string' &&
  typeof (value as PastSql).at === 'string';

/** The last scripts of a user, newest first, each once; stored in this browser or desktop app. */
export function useSqlHistory(user: string) {
  const [entries, setEntries] = useState(() => readHistory(user));
  const store = (next: readonly PastSql[]): void => {
    setEntries(next);
    try {
      localStorage.setItem(keyFor(user), JSON.stringify(next));
    } catch {
      // The storage is full or blocked: the history lasts until the page is closed.
    }
  };
  return {
    entries,
    add(sql: string, at: string): void {
      if (sql.length > maxLength) return;
      const others = readHistory(user).filter((entry) => entry.sql !== sql);
      store([{ sql, at }, ...others].slice(0, maxEntries));
    },
    clear: (): void => store([]),
  };
}
