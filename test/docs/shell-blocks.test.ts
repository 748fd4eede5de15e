import { spawn, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../harness/resources.ts';
import { root, listCodeBlocks, listPages, type CodeBlock } from './read-page.ts';

const engineFile = join(root, 'out/cli/engine.js');

/** Each reader is a separate user, for whom every first command would compile the program again. */
const cache = mkdtempSync(join(tmpdir(), 'stepwright-docs-cache-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));

/**
 * The environment of a reader: a home directory, a working folder where the package is installed, and the
 * commands `engine`, `npx engine` and `node`.
 */
class DocsHome {
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

const pages = listPages()
  .map(({ path, text }) => ({ path, blocks: listCodeBlocks({ path, text }) }))
  .filter(({ blocks }) => blocks.some(({ marks }) => marks.includes('run')));

const needsCurl = (blocks: readonly CodeBlock[]): boolean =>
  blocks.some(({ marks, text }) => marks.includes('run') && text.includes('curl '));
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** A line of expected output: `…` matches anything, spaces match any number of spaces. */
function toPattern(line: string): RegExp {
  const parts = line.trim().split('…');
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/ +/g, ' +'));
  return new RegExp(escaped.join('.*?'), 'g');
}

/** The first expected line that the output does not contain after the previous ones. */
function findMissing(expected: string, output: string): string | undefined {
  let at = 0;
  for (const line of expected.trimEnd().split('\n')) {
    const pattern = toPattern(line);
    pattern.lastIndex = at;
    if (!pattern.test(output)) return line;
    at = pattern.lastIndex;
  }
  return undefined;
}

/** Follows a page as a reader would. @returns differences from the page */
async function findFault(blocks: readonly CodeBlock[]): Promise<string | undefined> {
  const testHome = new DocsHome();
  for (const { language, marks, text, line, expected } of blocks) {
    const file = marks.find((mark) => mark.startsWith('file='))?.slice('file='.length);
    if (file !== undefined) testHome.writeFile(file, text);
    if (language !== 'sh' || !marks.includes('run')) continue;
    if (marks.includes('server')) await testHome.startServer();
    const { code, output } = await testHome.runShell(text);
    if (code !== 0) return `line ${line} ends with ${code}:\n${output}`;
    const missing = findMissing(expected ?? '', output);
    if (missing !== undefined) return `line ${line} does not write "${missing}":\n${output}`;
  }
  return undefined;
}

// The pages show a POSIX shell and the paths of Linux.
if (process.platform === 'linux') {
  describe('commands in the documentation do what the pages show', { timeout: 60_000 }, () => {
    it.each(pages.filter(({ blocks }) => !needsCurl(blocks)))('$path', async ({ blocks }) => {
      expect(await findFault(blocks)).toBeUndefined();
    });

    it.skipIf(!hasCurl).each(pages.filter(({ blocks }) => needsCurl(blocks)))('$path', async ({ blocks }) => {
      expect(await findFault(blocks)).toBeUndefined();
    });
  });
}

describe('expected output', () => {
  it('must occur in order', () => {
    expect(findMissing('a …\nb', 'a 1\nb')).toBeUndefined();
    expect(findMissing('b\na', 'a\nb')).toBe('a');
    expect(findMissing('a.c', 'abc')).toBe('a.c');
    expect(findMissing('Status ✔ succeeded', 'Status    ✔ succeeded')).toBeUndefined();
  });
});

describe('npx engine', () => {
  it('is the command of this project inside its folder', () => {
    const output = execFileSync('npx', ['--no', 'engine', 'version'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 50_000,
    });
    expect(output).toMatch(/^engine \d+\.\d+\.\d+$/m);
  });
});
