import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Command } from 'commander';
import type { ErrorBody } from '../../core/base/errors.ts';
import type { RunJson, StepJson } from '../../core/cli/run-report.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { PinnedLines, type Channel } from '../../core/cli/terminal.ts';
import type { CommandContext } from '../../core/cli/command-context.ts';
import { placeEmptyDatabase } from './empty-database.ts';
import { makeTemporaryFolder, waitUntilPasses } from './resources.ts';

/** A separate home with an empty workflow folder, and a working folder next to it. */
export interface TestHome {
  readonly home: string;
  readonly cwd: string;
}

/** @param isNew has no database yet */
export function makeTestHome({ isNew = false }: { isNew?: boolean } = {}): TestHome {
  const folder = makeTemporaryFolder();
  const testHome = { home: join(folder, 'home'), cwd: join(folder, 'work') };
  mkdirSync(join(testHome.home, 'dags'), { recursive: true });
  mkdirSync(testHome.cwd);
  if (!isNew) placeEmptyDatabase(testHome.home);
  return testHome;
}

/** Writes a workflow into the home's folder, where `engine start NAME` finds it. Returns its path. */
export function saveDag({ home }: TestHome, name: string, yaml: string): string {
  const file = join(home, 'dags', `${name}.yaml`);
  writeFileSync(file, yaml);
  return file;
}

export interface EngineOutcome {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `engine` command. */
export interface EngineProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<EngineOutcome>;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

type Environment = Record<string, string | undefined>;

/** Variables of the test environment that must not affect commands. */
const neutralEnvironment: Environment = {
  ENGINE_HOME: undefined,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
  NODE_OPTIONS: undefined,
  ENGINE_DEBUG: undefined,
  CI: undefined,
};

/** The environment of a command on this workspace's home. */
export const engineEnvironment = ({ home }: TestHome, more: Environment = {}): NodeJS.ProcessEnv => {
  const merged = { ...process.env, ...neutralEnvironment, ENGINE_HOME: home, ...more };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
};

/** Arguments for the real, built command under this Node. */
export const engineArguments = (words: readonly string[]): string[] => [engineFile, ...words];

/** Starts the built command; it is killed if the test ends first. */
export function startEngine(
  testHome: TestHome,
  words: readonly string[],
  more: Environment = {},
): EngineProcess {
  const child = spawn(process.execPath, engineArguments(words), {
    cwd: testHome.cwd,
    env: engineEnvironment(testHome, more),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<EngineOutcome>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, stdout: () => stdout, stderr: () => stderr, kill: (signal) => child.kill(signal) };
}

/**
 * Runs a command to its end: in this process, or by the built command if it is to be killed at a fail point.
 */
export async function runEngine(
  testHome: TestHome,
  words: readonly string[],
  more: Environment = {},
): Promise<EngineOutcome> {
  if (more['ENGINE_FAILPOINT']) return startEngine(testHome, words, more).ended;
  const env = engineEnvironment(testHome, more);
  return { signal: null, ...(await runInProcess({ words, cwd: testHome.cwd, env })) };
}

/** All fields of commands with `--format json`; a test reads the fields of its command. */
interface JsonReply extends RunJson {
  steps: [StepJson & { readonly subRuns: unknown }, ...StepJson[]];
  error: string & ErrorBody;
  valid: boolean;
  errors: Diagnostic[];
  dagRuns: RunJson[];
  logs: unknown[];
  /** Of `import`. */
  workflows: { name: string; created: boolean; error?: ErrorBody }[];
}

/** Runs a command with `--format json` and parses its single object on stdout. */
export async function runForJson(
  testHome: TestHome,
  words: readonly string[],
): Promise<{ code: number | null; json: JsonReply }> {
  const { code, stdout } = await runEngine(testHome, [
    ...words.slice(0, 1),
    '--format',
    'json',
    ...words.slice(1),
  ]);
  return { code, json: JSON.parse(stdout) as JsonReply };
}

/** Resolves once the file exists. */
export const fileAppears = (file: string): Promise<void> =>
  waitUntilPasses(() => {
    if (!existsSync(file)) throw new Error(`${file} has not appeared`);
  });

/** Resolves once the text, read repeatedly, matches. */
export const waitForText = (read: () => string, pattern: RegExp): Promise<void> =>
  waitUntilPasses(() => {
    if (!pattern.test(read())) throw new Error(`${String(pattern)} is not in: ${read()}`);
  });

/** Lines of a file written by steps. */
export const readLines = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);

/**
 * Shell code that reports its start (file `begun`) and runs until the test creates the file `go`, both in the
 * working directory.
 */
export const waitForGoFile = 'touch begun; while [ ! -e go ]; do sleep 0.02; done';

const root = join(import.meta.dirname, '../..');

/** The built command, for child processes of a command (`process.argv[1]`). */
const engineFile = join(root, 'out/cli/engine.js');

const installation = {
  version: packageJson.version,
  webRoot: join(root, 'out/renderer'),
  samplesDir: join(root, 'resources/samples'),
  schemasDir: join(root, 'resources/schema'),
  recordHot() {},
};

interface Invocation {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs an `engine` command in this process, with empty standard input. Environment and working directory
 * belong to the process, so commands run one after another.
 */
export function runInProcess(invocation: Invocation): Promise<Outcome> {
  const outcome = last.then(() => run(invocation));
  last = outcome.catch(() => {});
  return outcome;
}

async function run({ words, cwd, env }: Invocation): Promise<Outcome> {
  // Tests that only start processes do not load the engine.
  const { runCommand } = await import('../../core/cli/program.ts');
  const { shareSupervisor } = await import('./engine.ts');
  const restore = enter(cwd, env, [process.execPath, engineFile, ...words]);
  const stdout = openOutlet();
  const stderr = openOutlet();
  try {
    const code = await runCommand(
      words,
      { ...installation, supervisor: shareSupervisor() },
      { stdout, stderr },
    );
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    restore();
  }
}

/** Resets this process to the state of a new one. Returns a function that undoes it. */
function enter(cwd: string, env: NodeJS.ProcessEnv, argv: string[]): () => void {
  const before = { cwd: process.cwd(), env: { ...process.env }, argv: process.argv };
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  process.chdir(cwd);
  replaceEnvironment(env);
  process.argv = argv;
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([]) });
  return () => {
    Object.defineProperty(process, 'stdin', stdin);
    process.argv = before.argv;
    replaceEnvironment(before.env);
    process.chdir(before.cwd);
  };
}

function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

function openOutlet() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { isTty: false, open: () => stream, text: () => Buffer.concat(chunks).toString('utf8') };
}

/** A channel that records its output, without colors. */
interface MemoryChannel extends Channel {
  readonly text: string;
}

export function openMemoryChannel(
  size: { columns?: number; rows?: number; isTty?: boolean } = {},
): MemoryChannel {
  const written: string[] = [];
  const pinned = new PinnedLines();
  return {
    isTty: size.isTty ?? false,
    columns: size.columns ?? 80,
    rows: size.rows ?? 24,
    closed: false,
    failure: undefined,
    get text() {
      return written.join('');
    },
    write(data) {
      const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
      written.push(pinned.shown ? pinned.printAbove(text) : text);
      return Promise.resolve();
    },
    pin: (lines) => void written.push(pinned.replace(lines)),
    flush: () => Promise.resolve(),
    paint: (_paint, text) => text,
    onClosed: () => () => {},
  };
}

/** The whole command line, with its output recorded. */
interface TestProgram {
  readonly program: Command;
  readonly stdout: MemoryChannel;
}

/** @param context of commands; required by those that a test runs */
export async function buildTestProgram(
  words: readonly string[] = [],
  context?: Partial<CommandContext>,
): Promise<TestProgram> {
  const stdout = openMemoryChannel({ columns: 100 });
  const terminal = { stdout, stderr: openMemoryChannel(), interactive: false };
  const hooks = {
    terminal,
    words,
    contextFor: () => ({ terminal, ...context }) as CommandContext,
    setExitCode() {},
  };
  const { buildProgram } = await import('../../core/cli/program.ts');
  const program = await buildProgram(hooks, ['help']);
  return { program, stdout };
}
