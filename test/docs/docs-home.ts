import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { engineFile, runInProcess, type Invocation } from '../harness/run-in-process.ts';
import { makeTemporaryFolder } from '../rig/temporary-folder.ts';
import { root } from './read-page.ts';

const client = join(root, 'test/programs/engine-client.mjs');

/** Each reader is a separate user, for whom every first command would compile the program again. */
const cache = mkdtempSync(join(tmpdir(), 'stepwright-docs-cache-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));

/**
 * The environment of a reader: a home directory, a working folder where the package is installed, and the
 * commands `engine`, `npx engine` and `node`. Engine commands run in this process where they can
 * (engine-client.mjs).
 */
export class DocsHome {
  readonly #userHome: string;
  readonly #cwd: string;
  readonly #environment: Record<string, string>;

  constructor() {
    const folder = makeTemporaryFolder();
    this.#userHome = join(folder, 'user');
    this.#cwd = join(folder, 'work');
    const commands = join(folder, 'bin');
    for (const made of [this.#userHome, this.#cwd, commands]) mkdirSync(made);
    mkdirSync(join(this.#cwd, 'node_modules'));
    symlinkSync(root, join(this.#cwd, 'node_modules/stepwright'), 'junction');
    placeCommand(join(commands, 'node'), `exec '${process.execPath}' "$@"`);
    const socket = join(folder, 'engine.sock');
    const answer = answerOneAtATime();
    const server = createServer({ allowHalfOpen: true }, (connection) => void answer(connection)).listen(
      socket,
    );
    onTestFinished(() => void server.close());
    const call = `exec '${process.execPath}' '${client}' '${socket}' '${engineFile}' "$@"`;
    placeCommand(join(commands, 'engine'), call);
    placeCommand(join(commands, 'npx'), `[ "$1" = engine ] || exit 64\nshift\n${call}`);
    this.#environment = {
      PATH: `${commands}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: this.#userHome,
      LANG: 'C.UTF-8',
      XDG_CACHE_HOME: cache,
    };
  }

  /** Writes a file the page shows: relative to the working folder, or to the home directory after `~/`. */
  writeFile(path: string, text: string): void {
    const file = path.startsWith('~/') ? join(this.#userHome, path.slice(2)) : join(this.#cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Runs commands as one script that ends at the first failure. */
  async runShell(text: string): Promise<{ code: number | null; output: string }> {
    const child = spawn('sh', ['-eu', '-c', text], {
      cwd: this.#cwd,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, output: code === 0 ? output : `${output}${errors}` };
  }

  /** Starts `engine server` on the user's home and sets `$API`. It ends with the test. */
  async startServer(): Promise<void> {
    if (this.#environment['API'] !== undefined) return;
    const child = spawn(process.execPath, [engineFile, 'server', '--port', '0'], {
      cwd: this.#cwd,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url === undefined) continue;
      this.#environment['API'] = `${url}/api/v2`;
      return;
    }
  }
}

/** Runs commands in this process, except during another one, and servers. */
function answerOneAtATime(): (connection: Socket) => Promise<void> {
  let isBusy = false;
  return async (connection) => {
    const invocation = (await json(connection)) as Invocation;
    if (isBusy || invocation.words[0] === 'server') return void connection.end('{}');
    isBusy = true;
    try {
      connection.write(JSON.stringify({ outcome: await runInProcess(invocation) }));
    } finally {
      isBusy = false;
      connection.end();
    }
  };
}

function placeCommand(file: string, text: string): void {
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}
