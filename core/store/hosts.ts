import {
  type HostKind,
  type HostRecord,
  type RunOwner,
  type RunRecord,
  activeRunStatuses,
} from '../model/run.ts';
import type { Database } from './database/database.ts';
import { type RunRow, selectRun, toRunRecord } from './run-rows.ts';
import type { ServiceRecord, LeaseTerm } from './types/hosts.ts';

/** How long a host without runs and services is remembered after its last heartbeat, in milliseconds. */
const rememberedMs = 10 * 60_000;

const activeList = activeRunStatuses.map((status) => `'${status}'`).join(', ');

export const drivingHostsSql =
  'SELECT * FROM host WHERE key IN (SELECT owner_key FROM run WHERE owner_key IS NOT NULL) ORDER BY key';
export const runHostSql = 'SELECT * FROM host WHERE key = (SELECT owner_key FROM run WHERE key = ?)';
/** A handler's sub-run has a parent that has not ended either. */
export const orphanedRunsSql = /* sql */ `
  ${selectRun} WHERE key IN (
    SELECT run.key FROM run LEFT JOIN run parent ON parent.key = run.parent_key
    WHERE run.owner_key = ? AND (parent.key IS NULL OR parent.status NOT IN (${activeList})))
  ORDER BY key`;
const forgetSql = /* sql */ `
  DELETE FROM host WHERE beat_at < ?
    AND NOT EXISTS (SELECT 1 FROM run WHERE run.owner_key = host.key)
    AND NOT EXISTS (SELECT 1 FROM service_lease WHERE service_lease.host_key = host.key)`;

interface HostRow {
  readonly key: number;
  readonly id: string;
  readonly hostname: string;
  readonly pid: number;
  readonly pid_start: string;
  readonly boot_id: string;
  readonly kind: HostKind;
  readonly version: string | null;
  readonly load: number | null;
  readonly started_at: number;
  readonly beat_at: number;
  readonly left_at: number | null;
}

/** Returns the id of a host: one per process, unless the owner names one of its engines. */
export const hostId = ({ id, host, pid, pidStart, bootId }: RunOwner): string =>
  id ?? [host, pid, pidStart, bootId].join('/');

/** Looks for a host with the next statement, and locks its row; returns its key, or null when it is unknown. */
export function deferHost(database: Database, owner: RunOwner): () => number | null {
  const rows = database.defer<{ key: number }>(
    'SELECT key FROM host WHERE id = ? /* FOR UPDATE */',
    hostId(owner),
  );
  return () => rows()[0]?.key ?? null;
}

/**
 * Returns the key of a host, adds the host when it is unknown, and records a heartbeat. Also removes hosts that ended
 * long ago. Only inside a write transaction.
 */
export const ensureHost = (database: Database, owner: RunOwner, at: number, load?: number): number =>
  saveBeat(database, owner, deferHost(database, owner)(), at, load)();

/** The same for a host that has been looked up; returns a function for its key. */
export function saveBeat(
  database: Database,
  owner: RunOwner,
  known: number | null,
  at: number,
  load?: number,
): () => number {
  if (known !== null) {
    database.run('UPDATE host SET beat_at = ?, left_at = NULL WHERE key = ?', at, known);
    return () => known;
  }
  database.run(forgetSql, at - rememberedMs);
  const inserted = database.run(
    /* sql */ `
    INSERT INTO host (id, hostname, pid, pid_start, boot_id, kind, version, load, started_at, beat_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at, left_at = NULL`,
    hostId(owner),
    owner.host,
    owner.pid,
    owner.pidStart,
    owner.bootId,
    owner.kind ?? 'cli',
    owner.version ?? null,
    load ?? null,
    at,
    at,
  );
  return () => inserted.key;
}

const beatSql = 'UPDATE host SET beat_at = ?, left_at = NULL, load = coalesce(?, load) WHERE id = ?';

/** A host is unknown before its first heartbeat. */
export function beat(database: Database, owner: RunOwner, at: number, load?: number): void {
  if (database.runAlone(beatSql, at, load ?? null, hostId(owner)).changes > 0) return;
  database.write(() => void ensureHost(database, owner, at, load));
}

export const leaveRuns = (database: Database, owner: RunOwner, at: number): void =>
  database.write(() => void database.run('UPDATE host SET left_at = ? WHERE id = ?', at, hostId(owner)));

export const listDrivingHosts = (database: Database): HostRecord[] => listHosts(database, drivingHostsSql);

/** Old hosts are removed, so there are never many. */
export const knownHostsSql = /* sql */ `
  SELECT *, (SELECT count(*) FROM run WHERE run.owner_key = host.key) AS runs FROM host ORDER BY key DESC LIMIT ?`;

/** Implements `HostStore.listHosts`. */
export const listKnownHosts = (database: Database, limit: number): { host: HostRecord; runs: number }[] =>
  database
    .all<HostRow & { runs: number }>(knownHostsSql, limit)
    .map((row) => ({ host: toHostRecord(row), runs: row.runs }));

export function deferRunHost(database: Database, runKey: number): () => HostRecord | undefined {
  const rows = database.defer<HostRow>(runHostSql, runKey);
  return () => rows().map(toHostRecord)[0];
}

export function findRunHost(database: Database, runKey: number): HostRecord | undefined {
  const row = database.get<HostRow>(runHostSql, runKey);
  return row && toHostRecord(row);
}

/** Finds a host by its key. */
export function findHost(database: Database, key: number): HostRecord | undefined {
  const row = database.get<HostRow>('SELECT * FROM host WHERE key = ?', key);
  return row && toHostRecord(row);
}

/** Lists the hosts that a query returns. */
export const listHosts = (database: Database, sql: string): HostRecord[] =>
  database.all<HostRow>(sql).map(toHostRecord);

export const listOrphanedRuns = (database: Database, hostKey: number): RunRecord[] =>
  database.all<RunRow>(orphanedRunsSql, hostKey).map(toRunRecord);

const toHostRecord = (row: HostRow): HostRecord => ({
  key: row.key,
  kind: row.kind,
  owner: {
    id: row.id,
    kind: row.kind,
    host: row.hostname,
    pid: row.pid,
    pidStart: row.pid_start,
    bootId: row.boot_id,
    ...(row.version !== null && { version: row.version }),
  },
  startedAt: row.started_at,
  beatAt: row.beat_at,
  load: row.load ?? undefined,
  leftAt: row.left_at ?? undefined,
});

const selectServiceSql = /* sql */ `
  SELECT service_lease.epoch, service_lease.until_at, host.* FROM service_lease
  LEFT JOIN host ON host.key = service_lease.host_key WHERE service_lease.name = ?`;

export function findService(database: Database, name: string): ServiceRecord {
  const row = database.get<{ epoch: number; until_at: number } & (HostRow | { key: null })>(
    selectServiceSql,
    name,
  );
  if (row === undefined) return { epoch: 0, untilAt: 0 };
  const host = row.key === null ? undefined : toHostRecord(row);
  return { epoch: row.epoch, host, untilAt: row.until_at };
}

const epochSql = 'SELECT epoch FROM service_lease WHERE name = ?';

export function claimService(
  database: Database,
  name: string,
  { epoch, owner, at, untilAt }: { epoch: number; owner: RunOwner } & LeaseTerm,
): number | undefined {
  return database.write(() => {
    const currentEpoch = database.get<{ epoch: number }>(epochSql, name)?.epoch ?? 0;
    if (currentEpoch !== epoch) return undefined;
    database.run(
      /* sql */ `
      INSERT INTO service_lease (name, epoch, host_key, until_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, host_key = excluded.host_key, until_at = excluded.until_at`,
      name,
      epoch + 1,
      ensureHost(database, owner, at),
      untilAt,
    );
    return epoch + 1;
  });
}

const renewSql =
  'UPDATE service_lease SET until_at = ? WHERE name = ? AND epoch = ? AND host_key IS NOT NULL';

/** The epoch is the condition: no other host may have claimed the service. */
export const renewService = (database: Database, name: string, epoch: number, untilAt: number): boolean =>
  database.runAlone(renewSql, untilAt, name, epoch).changes === 1;

export const releaseService = (database: Database, name: string, epoch: number): void =>
  database.write(
    () =>
      void database.run(
        'UPDATE service_lease SET host_key = NULL, until_at = 0 WHERE name = ? AND epoch = ?',
        name,
        epoch,
      ),
  );

/** Assigns a run to a host and returns the new epoch. Only inside the transaction that has read the run's epoch. */
export function setOwner(
  database: Database,
  { key, epoch }: { readonly key: number; readonly epoch: number },
  owner: RunOwner,
  at: number,
): number {
  database.run(
    /* sql */ `
    UPDATE run SET epoch = ?, owner_host = ?, owner_pid = ?, owner_pid_start = ?, owner_boot_id = ?, owner_key = ?
    WHERE key = ?`,
    epoch + 1,
    owner.host,
    owner.pid,
    owner.pidStart,
    owner.bootId,
    // Several runs may be claimed at once.
    database.readOnce(`host ${hostId(owner)}`, () => ensureHost(database, owner, at)),
    key,
  );
  return epoch + 1;
}

/** Records a request to stop the run; changes one row if it is the first one. */
export const recordStopRequest = (
  database: Database,
  runKey: number,
  by: string,
): { readonly changes: number } =>
  database.run(
    'UPDATE run SET stop_requested_by = ? WHERE key = ? AND stop_requested_by IS NULL',
    by,
    runKey,
  );
