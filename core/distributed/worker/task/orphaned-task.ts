import {
  claimStart,
  killOrphanedProcess,
  lostResult,
  neverStartedResult,
  reattach,
  type OrphanedProcess,
} from '../../../executors/process/reattach.ts';
import type { ExecutorResult, RunningStep } from '../../../executors/executor.ts';
import { parseSignal } from '../../../process/kill/signals.ts';
import type { RemoteTask } from '../../remote-task.ts';
import { isRelayed, type ContextTools, type MaskedValues } from './task-context.ts';
import type { TaskPaths } from './task-paths.ts';

interface OrphanedTaskInput {
  readonly paths: TaskPaths;
  readonly hidden: MaskedValues;
  readonly process?: { readonly pid: number; readonly pidStart: string } | undefined;
  readonly isSameBoot: boolean;
}

type OrphanedTaskTools = Pick<ContextTools, 'clock' | 'launcher'>;

/** Resumes a task of an earlier process: attaches to its process, if any. */
export function resumeTask(
  task: RemoteTask,
  input: OrphanedTaskInput,
  tools: OrphanedTaskTools,
): RunningStep {
  const orphaned = toLeftProcess(task, input);
  if (task.step.action.kind !== 'executor') return reattach(orphaned, tools);
  return { ended: loseWork(task.step.action.type, orphaned, tools), stop() {}, kill() {} };
}

/** Ends a task that ran inside the worker process, which is lost, together with the processes it started. */
async function loseWork(
  type: string,
  orphaned: OrphanedProcess,
  tools: OrphanedTaskTools,
): Promise<ExecutorResult> {
  if (claimStart(orphaned.attemptDir)) return neverStartedResult;
  await killOrphanedProcess(orphaned, tools);
  return lostResult(`the worker was killed, and steps of type "${type}" run inside the worker`);
}

function toLeftProcess(
  task: RemoteTask,
  { paths, hidden, process, isSameBoot }: OrphanedTaskInput,
): OrphanedProcess {
  const { step, cleanUpMs } = task;
  return {
    attemptDir: paths.attempt,
    pid: process?.pid,
    pidStart: process?.pidStart,
    stopSignal: parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM',
    cleanUpMs,
    isRelayed: isRelayed(task, hidden),
    hasTerminal: step.terminal !== undefined,
    isSameBoot,
  };
}
