import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { fail, succeed, type Result } from '../base/result.ts';
import { attemptFiles } from '../model/attempt-files.ts';
import type { ProcessEnd, LaunchFailure, LaunchRequest } from './launcher.ts';
import { checkWorkingDirectory, explainOpenError, explainSpawnError, mayPass } from './launch-failure.ts';
import { readPidStart } from './process-table.ts';
import { tagVariable } from './launcher.ts';

/** A child whose end is already listened for. */
export interface SpawnedChild {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly pidStart: string;
}

/** Waits between tries when the system has no process or file to spare: doubling from the first, ten tries. */
const firstWaitMs = 10;
const tries = 10;

/** Told how a process ended, in the turn in which the system reported it. */
export type ExitListener = (end: Pick<ProcessEnd, 'exitCode' | 'signal'>) => void;

/**
 * Starts a process as leader of its own session, without standard input, its output going straight into the
 * attempt's files: no byte of it passes through the engine, and it goes on when the engine dies.
 */
export async function spawnStep(
  request: LaunchRequest,
  clock: Clock,
  onExit: ExitListener,
): Promise<Result<SpawnedChild, LaunchFailure>> {
  const noDirectory = checkWorkingDirectory(request.cwd);
  if (noDirectory) return fail(noDirectory);
  for (let left = tries - 1, waitMs = firstWaitMs; ; left -= 1, waitMs *= 2) {
    const tried = await trySpawn(request, onExit);
    if (tried.ok) return tried;
    const { error, opening } = tried.error;
    if (!mayPass(error) || left === 0) {
      return fail(opening ? explainOpenError(error, request.attemptDir) : explainSpawnError(error, request));
    }
    await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    if (request.isCancelled()) return fail({ reason: 'cancelled', message: 'stopped before it was started' });
  }
}

/** What the system said, and whether it was about the log files. */
interface Refusal {
  readonly error: NodeJS.ErrnoException;
  readonly opening: boolean;
}

async function trySpawn(
  request: LaunchRequest,
  onExit: ExitListener,
): Promise<Result<SpawnedChild, Refusal>> {
  let opening = true;
  const files: number[] = [];
  try {
    for (const name of [attemptFiles.stdout, attemptFiles.stderr]) {
      // Appending, so that what children write through /dev/stdout opened anew and through ours do not overlap.
      files.push(openSync(join(request.attemptDir, name), 'a', 0o600));
    }
    opening = false;
    const child = spawnChild(request, files);
    if (child.pid === undefined) return fail({ error: await nextError(child), opening });
    child.once('exit', (code, signal) => onExit(code === null ? { signal: signal! } : { exitCode: code }));
    // A failed kill is reported here; the tree is signalled by other means, so there is nothing to do.
    child.on('error', () => {});
    return succeed({ child, pid: child.pid, pidStart: readPidStart(child.pid) });
  } catch (thrown) {
    return fail({ error: thrown as NodeJS.ErrnoException, opening });
  } finally {
    for (const file of files) closeSync(file);
  }
}

function spawnChild(request: LaunchRequest, [stdout, stderr]: readonly number[]): ChildProcess {
  const [program = '', ...args] = request.argv;
  return spawn(program, args, {
    cwd: request.cwd,
    env: { ...request.env, [tagVariable]: request.attemptDir },
    stdio: ['ignore', stdout, stderr],
    detached: true,
    windowsHide: true,
    windowsVerbatimArguments: request.verbatimArguments ?? false,
  });
}

/** Node reports some refusals of the system by an event instead of an exception. */
function nextError(child: ChildProcess): Promise<NodeJS.ErrnoException> {
  return new Promise((resolve) => child.once('error', resolve));
}
