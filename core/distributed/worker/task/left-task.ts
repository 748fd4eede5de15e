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

/** Goes on with what an earlier life of this worker has begun: with its process, if it has one. */
export function resumeTask(task: RemoteTask, facts: LeftFacts, tools: LeftTools): RunningStep {
  const left = toLeftProcess(task, facts);
  if (task.step.action.kind !== 'executor') return reattach(left, tools);
  return { ended: loseWork(task.step.action.type, left, tools), stop() {}, kill() {} };
}

/** Work that the worker itself did is gone with it; what it has started on this machine is ended. */
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
