import { spawn } from 'node:child_process';
import { TestPostgres, type PostgresVersion } from './postgres.ts';

/** Test files of a project share a process: a server is started once for all of them. */
const servers = ((
  globalThis as { sharedPostgres?: Map<PostgresVersion, Promise<TestPostgres>> }
).sharedPostgres ??= new Map());

/** A server of this process, for tests that take a schema of their own of it. It goes with the process. */
export function sharePostgres(version: PostgresVersion): Promise<TestPostgres> {
  const known = servers.get(version);
  if (known !== undefined) return known;
  const server = start(version);
  servers.set(version, server);
  return server;
}

async function start(version: PostgresVersion): Promise<TestPostgres> {
  const server = await TestPostgres.start(version);
  server.unref();
  // Reads nothing until this process has ended, whatever it ends by.
  const guard = spawn(
    'sh',
    [
      '-c',
      'read -r _; kill -QUIT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"',
      'guard',
      `${server.pid}`,
      server.folder,
    ],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  );
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return server;
}
