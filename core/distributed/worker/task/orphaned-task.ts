import {
  claimStart,
  endLeftProcess,
  lostResult,
  neverStarted,
  reattach,
  type OrphanedProcess,
} from '../../../executors/process/reattach.ts';
import type { ExecutorResult, RunningStep } from '../../../executors/executor.ts';
import { parseSignal } from '../../../process/kill/signals.ts';
import type { RemoteTask } from '../../remote-task.ts';
import { isRelayed, type ContextTools, type Hidden } from './task-context.ts';
import type { TaskPaths } from './task-paths.ts';

interface OrphanedTaskInput {
  readonly place: TaskPaths;
  readonly hidden: Hidden;
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
  const left = toLeftProcess(task, input);
  if (task.step.action.kind !== 'executor') return reattach(left, tools);
  return { ended: loseWork(task.step.action.type, left, tools), stop() {}, kill() {} };
}

/** Ends a task that ran inside the worker process, which is lost, together with the processes it started. */
async function loseWork(
  type: string,
  left: OrphanedProcess,
  tools: OrphanedTaskTools,
): Promise<ExecutorResult> {
  if (claimStart(left.attemptDir)) return neverStarted;
  await endLeftProcess(left, tools);
  return lostResult(`the worker was killed, and steps of type "${type}" run inside the worker`);
}

function toLeftProcess(
  task: RemoteTask,
  { place, hidden, process, isSameBoot }: OrphanedTaskInput,
): OrphanedProcess {
  const { step, cleanUpMs } = task;
  return {
    attemptDir: place.attempt,
    pid: process?.pid,
    pidStart: process?.pidStart,
    stopSignal: parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM',
    cleanUpMs,
    isRelayed: isRelayed(task, hidden),
    hasTerminal: step.terminal !== undefined,
    isSameBoot,
  };
}
