import { mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../core/base/clock.ts';
import type { LaunchedProcess, LaunchRequest, ProcessLauncher } from '../../../core/process/launcher.ts';
import { SupervisedLauncher } from '../../../core/process/supervisor/supervised-launcher.ts';
import { LocalLauncher } from '../../../core/process/local-launcher.ts';
import { listProcesses, readTag } from '../../../core/process/process-table.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';
import { silentLogger } from '../../harness/fakes.ts';

/** Absolute path of a tiny program. */
export const findProgram = (name: string): string => join(import.meta.dirname, '../../programs', name);

/** Live processes of an attempt. */
export const listAttemptProcesses = (attemptDir: string): number[] =>
  listProcesses()
    .filter(({ pid }) => readTag(pid) === attemptDir)
    .map(({ pid }) => pid);

/** Files under a directory that this process has open. */
export const listOpenFiles = (folder: string): string[] =>
  Array.from({ length: 128 }, (_, descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  }).filter((file) => file.startsWith(folder));

/** Launches into attempt directories of a separate run directory. */
export interface LaunchRig {
  readonly runDir: string;
  /** The request `launch` would make. */
  prepare(argv: readonly string[], options?: Partial<LaunchRequest>): LaunchRequest;
  /** Starts a process; whatever is left of it is killed when the test ends. */
  launch(argv: readonly string[], options?: Partial<LaunchRequest>): Promise<LaunchedTestProcess>;
  readonly launcher: ProcessLauncher;
}

export interface LaunchedTestProcess extends LaunchedProcess {
  readonly attemptDir: string;
  stdout(): string;
  stderr(): string;
  /** Resolves when it has printed `ready`. */
  ready(): Promise<void>;
}

/** The ways to start processes; both have the same guarantees. */
const launchers = {
  'by this process': (clock: Clock): ProcessLauncher => new LocalLauncher(clock),
  'by a supervisor': (clock: Clock): ProcessLauncher =>
    new SupervisedLauncher({ clock, logger: silentLogger }),
};

export type LauncherName = keyof typeof launchers;
export const launcherNames = Object.keys(launchers) as LauncherName[];

export function makeLaunchRig(clock: Clock = systemClock, how: LauncherName = 'by this process'): LaunchRig {
  const runDir = makeTemporaryFolder();
  const launcher = launchers[how](clock);
  onTestFinished(() => launcher.release());
  let attempts = 0;
  const prepare: LaunchRig['prepare'] = (argv, options) => {
    attempts += 1;
    const attemptDir = join(runDir, `attempt.${attempts}`);
    mkdirSync(attemptDir);
    return {
      argv,
      env: { PATH: process.env.PATH ?? '' },
      cwd: runDir,
      attemptDir,
      stopSignal: 'SIGTERM',
      cleanUpMs: 60_000,
      isCancelled: () => false,
      ...options,
    };
  };
  const launch: LaunchRig['launch'] = async (argv, options) => {
    const request = prepare(argv, options);
    const launched = await launcher.launch(request);
    if (!launched.ok) throw new Error(launched.error.message);
    const running = launched.value;
    const read = (file: string): string => readFileSync(join(request.attemptDir, file), 'utf8');
    onTestFinished(async () => {
      running.kill();
      await running.ended;
      for (const pid of listAttemptProcesses(request.attemptDir)) process.kill(pid, 'SIGKILL');
    });
    return Object.assign(running, {
      attemptDir: request.attemptDir,
      stdout: () => read('stdout.log'),
      stderr: () => read('stderr.log'),
      ready: () => until(() => read('stdout.log').includes('ready\n')),
    });
  };
  return { runDir, launcher, prepare, launch };
}
