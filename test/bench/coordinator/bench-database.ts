import path from 'node:path';
import type { DispatchLocation } from '../../../core/distributed/store/open-dispatch.ts';
import { openDatabase, prepareServerDatabase } from '../../../core/store/open-store.ts';
import { TestPostgres } from '../../harness/servers/postgres.ts';

export interface BenchDatabase {
  readonly place: DispatchLocation;
  close(): Promise<void>;
}

/** An empty database of a home: a file, or a dedicated server whose commits reach the disk. */
export async function openBenchDatabase(kind: 'sqlite' | 'postgres', folder: string): Promise<BenchDatabase> {
  if (kind === 'sqlite') {
    const file = path.join(folder, 'home.db');
    openDatabase(file).close();
    return { place: { file }, close: () => Promise.resolve() };
  }
  const server = await TestPostgres.start(18, ['fsync=on']);
  await prepareServerDatabase(server.url);
  return { place: { url: server.url }, close: () => server.close() };
}
