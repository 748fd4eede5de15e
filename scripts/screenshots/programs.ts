import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OUTPUT_FOLDER } from '../setup/paths.mjs';

const engineFile = join(OUTPUT_FOLDER, 'cli/engine.js');

/** A process of the built `engine` that runs until it is stopped. */
export interface Program {
  /** The line that it prints when ready. */
  readonly line: string;
  end(): Promise<void>;
}

/**
 * Starts `engine WORDS…` on a home directory and waits until it prints that it is ready.
 * @throws Error when it ends before
 */
export async function startProgram(
  home: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const child = spawn(process.execPath, [engineFile, ...args], {
    cwd: home,
    env: { ...process.env, ENGINE_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!/https?:\/\/\S+|Stepwright worker .* started/.test(line)) continue;
    child.stdout.resume();
    return {
      line,
      async end() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`engine ${args[0]} has ended before it was ready`);
}

/** Runs `engine WORDS…` to its end. @param input its standard input */
export async function runProgram(home: string, args: readonly string[], input: string): Promise<void> {
  const child = spawn(process.execPath, [engineFile, ...args], {
    env: { ...process.env, ENGINE_HOME: home },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`engine ${args.slice(0, 2).join(' ')} has failed`);
}

/**
 * Runs a function with a temporary home directory.
 * @param withSamples whether it has the samples of a new installation
 */
export async function withHome(withSamples: boolean, act: (home: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'stepwright-'));
  // An existing workflow directory gets no samples.
  if (!withSamples) mkdirSync(join(home, 'dags'));
  try {
    await act(home);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
