import { setTimeout as pause } from 'node:timers/promises';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { findSshServer } from '../../../scripts/setup/test-environment.mjs';
import type { ExecutorAction } from '../../../core/model/step.ts';
import { findClosedPort } from './ports.ts';

/** What this machine lacks; undefined if it has everything. */
export const missingForSsh: string | undefined = findMissing();

function findMissing(): string | undefined {
  if (findSshServer() === undefined) return 'the OpenSSH server (Debian: openssh-server)';
  const has = (program: string): boolean =>
    (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
  const missing = ['ssh-keygen', 'ssh-agent', 'ssh-add'].filter((program) => !has(program));
  return missing.length === 0 ? undefined : `${missing.join(', ')} (Debian: openssh-client)`;
}

/** A real OpenSSH server on a free loopback port, with its own keys; the test user may log in. */
export class SshServer {
  readonly host = '127.0.0.1';
  readonly user = userInfo().username;
  readonly folder: string;
  readonly port: number;
  /** The accepted private key. */
  readonly key: string;
  /** Contains the server's keys. */
  readonly knownHosts: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    this.key = join(folder, 'user_ed25519');
    this.knownHosts = join(folder, 'known_hosts');
  }

  /**
   * @param folder empty; contains the server's files
   * @param settings lines of its configuration, which override the usual ones
   */
  static async start(folder: string, settings: readonly string[] = []): Promise<SshServer> {
    const server = new SshServer(folder, await findClosedPort());
    makeKey(server.key);
    for (const type of ['ed25519', 'rsa', 'ecdsa'] as const) makeKey(server.hostKey(type), type);
    writeFileSync(server.knownHosts, server.knownHostLine('ed25519'));
    writeFileSync(join(server.folder, 'authorized_keys'), readFileSync(`${server.key}.pub`));
    writeFileSync(join(server.folder, 'sshd_config'), server.#describe(settings));
    await server.begin();
    return server;
  }

  hostKey(type: 'ed25519' | 'rsa' | 'ecdsa'): string {
    return join(this.folder, `host_${type}`);
  }

  /** A line of a known_hosts file. */
  knownHostLine(type: 'ed25519' | 'rsa' | 'ecdsa'): string {
    const [algorithm, key] = readFileSync(`${this.hostKey(type)}.pub`, 'utf8').split(' ');
    return `[${this.host}]:${this.port} ${algorithm} ${key}\n`;
  }

  /** The server's own log. */
  log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8');
  }

  /** As `config` of a step: logs in with the key and knows the host. */
  config(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    const { host, port, user, key, knownHosts: knownHostFile } = this;
    return { host, port, user, key, knownHostFile, ...changes };
  }

  /** Restarts it on the same port. */
  async begin(): Promise<void> {
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
    const args = ['-D', '-f', join(this.folder, 'sshd_config'), '-E', join(this.folder, 'log')];
    const child = spawn(findSshServer()!, args, { stdio: 'ignore' });
    this.#process = child;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null) throw new Error(`sshd ended: ${this.log()}`);
      await pause(5);
    }
  }

  /** Stops the server and its connections. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    this.breakConnections();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  /** Kills the processes that serve the current connections. */
  breakConnections(): void {
    for (const pid of this.connections()) process.kill(pid, 'SIGKILL');
  }

  /** Pids of the processes that serve one connection each. */
  connections(): number[] {
    const parent = this.#process?.pid;
    if (parent === undefined) return [];
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  }

  #describe(settings: readonly string[]): string {
    return [
      ...settings,
      `Port ${this.port}`,
      `ListenAddress ${this.host}`,
      ...(['ed25519', 'rsa', 'ecdsa'] as const).map((type) => `HostKey ${this.hostKey(type)}`),
      `AuthorizedKeysFile ${join(this.folder, 'authorized_keys')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      `PidFile ${join(this.folder, 'pid')}`,
      '',
    ].join('\n');
  }
}

/** Creates a key pair, without a passphrase by default. */
export function makeKey(file: string, type = 'ed25519', passphrase = ''): void {
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-f', file]);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/**
 * Tests that need an OpenSSH server, shared by all. They are skipped, with the reason in the title, where
 * something is missing.
 */
export function describeWithSsh(name: string, define: (server: () => SshServer) => void): void {
  const missing = missingForSsh === undefined ? '' : ` (missing here: ${missingForSsh})`;
  describe.skipIf(missingForSsh !== undefined)(`${name}${missing}`, { timeout: 20_000 }, () => {
    let folder: string;
    let server: SshServer | undefined;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'stepwright-ssh-'));
      server = await SshServer.start(folder);
    }, 30_000);
    afterAll(async () => {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    define(() => server!);
  });
}

/** A step of the server's host; `config` extends the login settings. */
export const sshAction = (
  server: SshServer,
  { config, ...action }: Partial<ExecutorAction>,
): ExecutorAction => ({ kind: 'executor', type: 'ssh', config: server.config(config), ...action });

/** A zombie may still be in the process table. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
