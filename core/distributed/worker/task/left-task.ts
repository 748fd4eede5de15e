import {
  claimStart,
  endLeftProcess,
  lostEnd,
  neverStarted,
  reattach,
  type LeftProcess,
} from '../../../executors/process/reattach.ts';
import type { ExecutorEnd, RunningStep } from '../../../executors/executor.ts';
import { parseSignal } from '../../../process/ending/signals.ts';
import type { RemoteTask } from '../../remote-task.ts';
import { isRelayed, type ContextTools, type Hidden } from './task-context.ts';
import type { TaskPlace } from './task-place.ts';

interface LeftFacts {
  readonly place: TaskPlace;
  readonly hidden: Hidden;
  readonly process?: { readonly pid: number; readonly pidStart: string } | undefined;
  readonly isSameBoot: boolean;
}

type LeftTools = Pick<ContextTools, 'clock' | 'launcher'>;

/** Resumes a task of an earlier process: attaches to its process, if any. */
export function resumeTask(task: RemoteTask, facts: LeftFacts, tools: LeftTools): RunningStep {
  const left = toLeftProcess(task, facts);
  if (task.step.action.kind !== 'executor') return reattach(left, tools);
  return { ended: loseWork(task.step.action.type, left, tools), stop() {}, kill() {} };
}

/** Ends a task that ran inside the worker process, which is lost, together with the processes it started. */
async function loseWork(type: string, left: LeftProcess, tools: LeftTools): Promise<ExecutorEnd> {
  if (claimStart(left.attemptDir)) return neverStarted;
  await endLeftProcess(left, tools);
  return lostEnd(`the worker was killed, and steps of type "${type}" run inside the worker`);
}

function toLeftProcess(task: RemoteTask, { place, hidden, process, isSameBoot }: LeftFacts): LeftProcess {
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
