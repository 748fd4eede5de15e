import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineArguments, runInProcess } from '../../harness/home-and-command.ts';
import type { CaseFolders } from './case-result.ts';

/** Each workspace has its own user, for whom every command would compile the program again. */
const cache = mkdtempSync(join(tmpdir(), 'stepwright-conformance-cache-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));

/** Environment of an `engine` command under test. */
const environment = (
  { home, user }: CaseFolders,
  overrides: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: user,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  ENGINE_HOME: home,
  XDG_CACHE_HOME: cache,
  ...overrides,
});

/** Starts the built command in this workspace, with empty standard input. */
export function spawnEngine(
  ground: CaseFolders,
  words: readonly string[],
  overrides: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, engineArguments(words), {
    cwd: ground.cwd,
    env: environment(ground, overrides),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export interface CommandOutcome {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command to its end: in this process, or by the built command if another command runs concurrently;
 * the signal kills that one.
 */
export async function runEngineCommand(
  command: {
    readonly ground: CaseFolders;
    readonly given?: Readonly<Record<string, string>>;
    readonly runsInParallel: boolean;
  },
  words: readonly string[],
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const { ground, given: overrides = {}, runsInParallel } = command;
  if (!runsInParallel) return runInProcess({ words, cwd: ground.cwd, env: environment(ground, overrides) });
  const child = spawnEngine(ground, words, overrides);
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  signal.removeEventListener('abort', kill);
  return { code, stdout, stderr };
}
