import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPgBouncer } from '../../../scripts/setup/test-environment.mjs';
import { findFreePort } from './ports.ts';
import { asServerUser, chownToServerUser, missingForPostgres, type TestPostgres } from './postgres.ts';

/** What this machine lacks for tests with a pooler; undefined if it has everything. */
export const missingForPgBouncer = (): string | undefined =>
  findPgBouncer() === undefined ? 'PgBouncer (Debian: pgbouncer)' : missingForPostgres(15);

/** A real PgBouncer in front of a server: each transaction gets any of a few sessions. */
export class TestPgBouncer {
  readonly port: number;
  readonly #close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.port = port;
    this.#close = close;
  }

  static async start(server: TestPostgres): Promise<TestPgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
    const port = await findFreePort();
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]
* = host=127.0.0.1 port=${server.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 100
`,
    );
    for (const path of [folder, file]) chownToServerUser(path);
    const child = spawn(findPgBouncer()!, [file], { ...asServerUser(), stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve, reject) => {
      let output = '';
      child.stderr.on('data', (text: Buffer) => {
        output = (output + text.toString()).slice(-10_000);
        if (output.includes('process up')) resolve();
      });
      child.once('exit', () => reject(new Error(`pgbouncer ended: ${output}`)));
    });
    return new TestPgBouncer(port, async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    });
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  close(): Promise<void> {
    return this.#close();
  }
}
