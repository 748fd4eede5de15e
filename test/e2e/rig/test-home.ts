import { rmSync, writeFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import { promisify } from 'node:util';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A point in a workflow where it blocks until the test lets it continue. */
export interface Latch {
  /** Shell code that waits. */
  readonly wait: string;
  open(): void;
}

/** @param folder an existing folder, outside which nothing is written */
function createLatch(folder: string, name: string): Latch {
  const file = path.join(folder, `${name}.gate`);
  return { wait: `until [ -e '${file}' ]; do sleep 0.02; done`, open: () => writeFileSync(file, '') };
}

export const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The built `engine` command. */
export const ENGINE_FILE = path.join(ROOT, 'out/cli/engine.js');

/** A run as printed by `engine history --format json`. */
export interface HistoryRun {
  readonly name: string;
  readonly dagRunId: string;
  readonly status: string;
}

/** A folder of one test: the engine's home, and space for files that its workflows write. */
export class TestHome {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'stepwright-e2e-'));
  readonly home = path.join(this.folder, 'home');

  /** Saves a workflow in the home's workflow folder. */
  saveWorkflow(name: string, text: string): void {
    writeFileSync(path.join(this.makeWorkflowFolder(), `${name}.yaml`), text);
  }

  /** A workflow folder that exists before the first start gets no samples. */
  makeWorkflowFolder(): string {
    const folder = path.join(this.home, 'dags');
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  listWorkflowFiles(): readonly string[] {
    return readdirSync(this.makeWorkflowFolder());
  }

  /** Removes the files that a test has added, except these workflows. */
  removeFilesExcept(workflows: ReadonlySet<string>): void {
    const removeOthers = (folder: string, files: ReadonlySet<string>): void => {
      for (const file of readdirSync(folder))
        if (!files.has(file)) rmSync(path.join(folder, file), { recursive: true });
    };
    removeOthers(this.makeWorkflowFolder(), workflows);
    removeOthers(this.folder, new Set([path.basename(this.home)]));
  }

  gate(name: string): Latch {
    return createLatch(this.folder, name);
  }

  /** A path for a file of a workflow, and whether it exists. */
  file(name: string): string {
    return path.join(this.folder, name);
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  /** Runs in this home, newest first, as listed by the command line. */
  async readHistory(): Promise<readonly HistoryRun[]> {
    const words = [ENGINE_FILE, 'history', '--format', 'json', '--engine-home', this.home];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    return (JSON.parse(stdout) as { dagRuns: HistoryRun[] }).dagRuns;
  }

  /** Adds a user locally, as `engine users create` does. */
  async createUser(name: string, role: string, password: string): Promise<void> {
    const words = ['users', 'create', name, '--role', role, '--password-stdin', '--engine-home', this.home];
    const created = promisify(execFile)(process.execPath, [ENGINE_FILE, ...words]);
    created.child.stdin?.end(`${password}\n`);
    await created;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A headless engine that serves the web UI. */
export interface EngineServer {
  /** With its base path, without trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** Stops it gracefully: its runs are stopped. Idempotent. */
  stop(): Promise<void>;
}

/** Options of a test server. */
export interface StartServerOptions {
  /** `start-all` also runs the scheduler and the queues. */
  readonly command?: 'server' | 'start-all';
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Additional options of the command. */
  readonly options?: readonly string[];
}

/**
 * Starts the built `engine server`.
 * @throws Error with its output, if it exits instead of getting ready
 */
export async function startServer(
  home: string,
  { command = 'server', port = 0, env = {}, options = [] }: StartServerOptions = {},
): Promise<EngineServer> {
  if (!existsSync(ENGINE_FILE)) throw new Error(`${ENGINE_FILE} is missing: run "npm run build" first`);
  const words = [ENGINE_FILE, command, '--port', String(port), '--engine-home', home, ...options];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  let output = '';
  const ready = Promise.withResolvers<string>();
  const read = (text: string): void => {
    output += text;
    const url = /ready at (https?:\/\/\S+?)\/?\s/.exec(output)?.[1];
    if (url !== undefined) ready.resolve(url);
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  void exit.then(() => ready.reject(new Error(`engine ${command} has ended; it wrote:\n${output}`)));
  const url = await ready.promise;
  return {
    url,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** An `engine` command that prints a line on stdout when it is ready. */
export interface StartedProgram {
  /** The ready line. */
  readonly line: string;
  stop(): Promise<void>;
}

/**
 * Starts `engine coordinator` on the workspace's home, without TLS, on a free port; its ready line ends in
 * its URL.
 */
export const startCoordinator = ({ home }: TestHome): Promise<StartedProgram> =>
  start(['coordinator', '--no-tls', '--port', '0', '--engine-home', home], home);

/** Starts `engine worker` in its own folder. */
export const startWorker = (
  testHome: TestHome,
  id: string,
  words: readonly string[],
): Promise<StartedProgram> =>
  start(['worker', '--id', id, '--engine-home', testHome.file(id), ...words], testHome.folder);

async function start(words: readonly string[], cwd: string): Promise<StartedProgram> {
  const child = spawn(process.execPath, [ENGINE_FILE, ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.resume();
  const line = await firstLine(child);
  child.stdout.resume();
  return {
    line,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('ended before it was ready')));
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  return line;
}
