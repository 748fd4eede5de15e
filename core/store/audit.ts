import {
  auditLimits,
  type AuditLimits,
  type AuditFilter,
  type AuditPage,
  type AuditStore,
  type AuditEntry,
  type StoredAuditEntry,
} from './types/audit.ts';
import type { Database, SqlValue } from './database/database.ts';
import type { Operations } from './open-store.ts';

/** Most entries examined for one page. */
const maxScanned = 20_000;
const chunk = 1000;

/** Creates the audit store on an open connection. */
export const createAuditStore = (
  database: Database,
  limits: AuditLimits = auditLimits,
): Operations<AuditStore> => ({
  add: (entries) => database.transact(() => addEntries(database, entries, limits)),
  list: (filter) => database.read(() => listEntries(database, filter)),
  count: () => database.get<{ entries: number }>('SELECT count(*) AS entries FROM audit')!.entries,
});

/** Adds entries, and removes those that are too many or too old: one round trip, because nothing is read. */
function addEntries(database: Database, entries: readonly AuditEntry[], limits: AuditLimits): void {
  // Two hosts must not remove the same entries.
  database.lock('audit');
  for (const { at, actor, via, address, operation, target, outcome } of entries)
    database.run(
      'INSERT INTO audit (at, actor, via, address, operation, target, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)',
      at,
      actor,
      via,
      address ?? null,
      operation,
      target,
      outcome,
    );
  database.run(
    'DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - CAST(? AS bigint)',
    limits.entries,
  );
  database.run(removeAgedSql, (entries.at(-1)?.at ?? 0) - limits.ageMs);
}

/** Starts with the oldest entry, so that one row is read when there is nothing to remove. */
const removeAgedSql = /* sql */ `
  DELETE FROM audit WHERE id < (SELECT id FROM audit WHERE at >= ? ORDER BY id LIMIT 1)`;

interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly via: StoredAuditEntry['via'];
  readonly address: string | null;
  readonly operation: string;
  readonly target: string;
  readonly outcome: string;
}

/** Reads in batches, so that a very selective filter ends after a bounded time. */
function listEntries(database: Database, filter: AuditFilter): AuditPage {
  const matches: StoredAuditEntry[] = [];
  let beforeId = filter.beforeId ?? Number.MAX_SAFE_INTEGER;
  for (let scanned = 0; scanned < maxScanned; scanned += chunk) {
    const rows = listChunk(database, filter.actor, beforeId);
    for (const row of rows) {
      beforeId = row.id;
      if (!fits(row, filter)) continue;
      matches.push(toEntry(row));
      if (matches.length === filter.limit) return { entries: matches, next: beforeId };
    }
    if (rows.length < chunk) return { entries: matches };
  }
  return { entries: matches, next: beforeId };
}

function listChunk(database: Database, actor: string | undefined, beforeId: number): AuditRow[] {
  const values: SqlValue[] = actor === undefined ? [beforeId] : [beforeId, actor];
  const condition = actor === undefined ? '' : ' AND actor = ?';
  return database.all<AuditRow>(
    `SELECT * FROM audit WHERE id < ?${condition} ORDER BY id DESC LIMIT ${chunk}`,
    ...values,
  );
}

function fits(row: AuditRow, { operation, target, outcome, from, before }: AuditFilter): boolean {
  const isAsked =
    operation === undefined || row.operation === operation || row.operation.startsWith(`${operation}.`);
  const isAbout = target === undefined || row.target.toLowerCase().includes(target.toLowerCase());
  const hasEnded = outcome === undefined || (row.outcome === 'done') === (outcome === 'done');
  return isAsked && isAbout && hasEnded && row.at >= (from ?? -Infinity) && row.at < (before ?? Infinity);
}

const toEntry = ({ address, ...row }: AuditRow): StoredAuditEntry =>
  address === null ? row : { ...row, address };
