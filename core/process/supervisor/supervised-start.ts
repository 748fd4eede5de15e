import type { Clock } from '../../base/clock.ts';
import { fail, succeed, type Result } from '../../base/result.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import { findLeader } from '../exits/watched-process.ts';
import type { ExitWatch } from '../exits/exit-watch.ts';
import type { LaunchRequest, ExitResult } from '../launch/launcher.ts';
import type { ProcessIdentity } from '../tracking/process-table.ts';
import type { StartFailure, StartLock } from '../launch/start-tries.ts';
import type { SupervisorEvent } from './protocol.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/** A process that a supervisor has started. */
export interface SupervisedChild extends ProcessIdentity {
  /** Reported by the supervisor; after its loss, from the process table and the exit journal. */
  readonly exited: Promise<ExitResult>;
}

/** Input of a start in addition to the request. */
export interface StartDeps {
  readonly link: SupervisorLink;
  readonly clock: Clock;
  readonly exits: ExitWatch;
  readonly fence: StartLock;
  /** See `StartCommand`. */
  readonly pipes?: readonly string[] | undefined;
}

/** How long a process that was being started when its supervisor died may take to show its tag, in milliseconds. */
const appearMs = 100;

/** Starts a process through the supervisor, once. Never rejects. */
export function startSupervised(
  { argv, env, cwd, attemptDir }: LaunchRequest,
  deps: StartDeps,
): Promise<Result<SupervisedChild, StartFailure>> {
  const { link, exits, fence, pipes } = deps;
  return new Promise((resolve) => {
    const exited = Promise.withResolvers<ExitResult>();
    let started: ProcessIdentity | undefined;
    const command = {
      type: 'start',
      argv,
      env,
      cwd,
      attemptDir,
      pipes,
      isLockAcquired: fence.isPassed,
    } as const;
    link.send(command, {
      onEvent(report: SupervisorEvent) {
        if (report.type === 'started') {
          const { pid, pidStart } = (started = report);
          resolve(succeed({ pid, pidStart, exited: exited.promise }));
        } else if (report.type === 'ended') {
          const { id: _id, type: _tells, ...end } = report;
          exited.resolve(end);
        } else if (report.type === 'refused') {
          fence.isPassed = report.isLockAcquired;
          resolve(fail({ failure: report.failure, mayPass: report.mayPass }));
        }
      },
      onDisconnect() {
        if (started) exited.resolve(exits.watch({ ...started, attemptDir }));
        else void findOut(argv[0] ?? '', attemptDir, deps).then(resolve);
      },
    });
  });
}

/** Determines the outcome of a start whose supervisor died before it reported. */
async function findOut(
  program: string,
  attemptDir: string,
  { clock, exits, fence, pipes }: StartDeps,
): Promise<Result<SupervisedChild, StartFailure>> {
  await new Promise<void>((resolve) => clock.after(appearMs, resolve));
  const leader = findLeader(attemptDir);
  if (leader) return succeed({ ...leader, exited: exits.watch({ ...leader, attemptDir }) });
  // The log file is created before anything is started: without it, nothing was, and another supervisor may start the
  // process.
  const mayHaveRun = pipes !== undefined || existsSync(join(attemptDir, attemptFiles.stdout));
  const failure = {
    reason: 'other',
    message: mayHaveRun
      ? `the step supervisor was killed while it was starting "${program}", which may have run`
      : `the step supervisor was killed before it started "${program}"`,
  } as const;
  // After a rejected try has passed the fence, the file no longer shows whether something was started.
  return fail({ failure, mayPass: !mayHaveRun && !fence.isPassed });
}
