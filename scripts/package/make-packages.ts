import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { explainFailure, explainMissingElectron } from './explain-failure.ts';
import { findElectron } from './find-electron.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUILDER = join(ROOT, 'node_modules/electron-builder/cli.js');
const ELECTRON = join(ROOT, 'node_modules/electron');

/** Default output directory, as in electron-builder.yml. */
const usualOutput = 'dist';
const outputWord = /^(?:-c|--config)\.directories\.output=(.+)$/;

/** Debug output of electron-builder. */
const notes = /^builder-(debug|effective-config)\.ya?ml$/;

export interface PackageOptions {
  /** Arguments for electron-builder. */
  readonly words: readonly string[];
  /** Builds the app. Called once an Electron binary is available. */
  build(): void;
  printLine(line: string): void;
  /** Directory of the package `electron`; the installed one by default. */
  readonly electron?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Creates the packages of this platform in a separate directory and moves them to the output when all are
 * complete, so that a failure leaves previous packages in place.
 * @returns the exit code; if it is not 0, the reason and what to do have been printed
 */
export async function makePackages(options: PackageOptions): Promise<number> {
  const { words: args, printLine, electron = ELECTRON, env = process.env } = options;
  const source = await findElectron(electron, args);
  if (source.from === 'nowhere') {
    printLine(explainMissingElectron(source.reason));
    return 1;
  }
  options.build();
  const output = resolve(
    ROOT,
    args.flatMap((word) => outputWord.exec(word)?.[1] ?? []).at(-1) ?? usualOutput,
  );
  const existed = existsSync(output);
  mkdirSync(output, { recursive: true });
  const staging = mkdtempSync(join(output, '.making-'));
  try {
    const failure = await runBuilder(
      [
        '--publish=never',
        `-c.directories.output=${staging}`,
        ...(source.from === 'folder' ? [`-c.electronDist=${source.folder}`] : []),
        ...args.filter((word) => !outputWord.test(word)),
      ],
      { printLine, env },
    );
    if (failure === undefined) {
      for (const path of takePlace(staging, output)) printLine(path);
      return 0;
    }
    printLine(explainFailure(failure));
    return 1;
  } finally {
    rmSync(staging, { recursive: true, force: true });
    if (!existed && readdirSync(output).length === 0) rmdirSync(output);
  }
}

/** Moves the results. @returns the paths */
function takePlace(staging: string, output: string): string[] {
  return readdirSync(staging)
    .filter((name) => !notes.test(name))
    .map((name) => {
      const target = join(output, name);
      rmSync(target, { recursive: true, force: true });
      renameSync(join(staging, name), target);
      return target;
    });
}

/** @returns its complete output if it failed; stack traces are not printed */
async function runBuilder(
  args: readonly string[],
  { printLine, env }: { printLine(line: string): void; env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  const child = spawn(process.execPath, [BUILDER, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Ctrl-C reaches the child process as well; its leftovers are removed after it has ended.
  const end = (): void => void child.kill('SIGTERM');
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, end);
  const written: string[] = [];
  const read = (stream: Readable): Promise<unknown> => {
    const lines = createInterface({ input: stream });
    lines.on('line', (line) => {
      written.push(line);
      if (!/^\s+at /.test(line)) printLine(line);
    });
    return once(lines, 'close');
  };
  const [[code]] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    read(child.stdout),
    read(child.stderr),
  ]);
  for (const signal of signals) process.off(signal, end);
  return code === 0 ? undefined : written.join('\n');
}
