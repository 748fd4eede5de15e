import type { ServiceRecord, ServiceTerm } from '../../hosts/ports.ts';
import type { RunOwner } from '../../model/run/run.ts';
import type { Database } from '../database/database.ts';
import { ensureHost, findHost } from './hosts.ts';

interface ServiceRow {
  readonly epoch: number;
  readonly host_key: number | null;
  readonly until_at: number;
}

const selectSql = 'SELECT epoch, host_key, until_at FROM service_lease WHERE name = ?';

export function findService(database: Database, name: string): ServiceRecord {
  return database.read(() => {
    const row = database.get<ServiceRow>(selectSql, name);
    if (row === undefined) return { epoch: 0, untilAt: 0 };
    const host = row.host_key === null ? undefined : findHost(database, row.host_key);
    return { epoch: row.epoch, host, untilAt: row.until_at };
  });
}

export function claimService(
  database: Database,
  name: string,
  { epoch, owner, at, untilAt }: { epoch: number; owner: RunOwner } & ServiceTerm,
): number | undefined {
  return database.write(() => {
    const currentEpoch = database.get<ServiceRow>(selectSql, name)?.epoch ?? 0;
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

export const renewService = (database: Database, name: string, epoch: number, untilAt: number): boolean =>
  database.write(
    () =>
      database.run(
        'UPDATE service_lease SET until_at = ? WHERE name = ? AND epoch = ? AND host_key IS NOT NULL',
        untilAt,
        name,
        epoch,
      ).changes === 1,
  );

export const releaseService = (database: Database, name: string, epoch: number): void =>
  database.write(
    () =>
      void database.run(
        'UPDATE service_lease SET host_key = NULL, until_at = 0 WHERE name = ? AND epoch = ?',
        name,
        epoch,
      ),
  );
