import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../rig/temporary-folder.ts';
import { root } from './read-page.ts';

const engineFile = join(root, 'out/cli/engine.js');

/** Each reader is a separate user, for whom every first command would compile the program again. */
const cache = mkdtempSync(join(tmpdir(), 'stepwright-docs-cache-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));

/**
 * The environment of a reader: a home directory, a working folder where the package is installed, and the
 * commands `engine`, `npx engine` and `node`.
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
    const call = `exec '${process.execPath}' '${engineFile}' "$@"`;
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

function placeCommand(file: string, text: string): void {
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}
