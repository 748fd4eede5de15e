import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startAction } from '../../executors/registry.ts';
import type { RunningStep } from '../../executors/executor.ts';
import { isHostsAction } from '../../model/workflow-rules.ts';
import { attemptFiles } from '../../model/run.ts';
import type { AttemptOptions } from './attempt.ts';
import { isParallel, ItemsAttempt } from './items-attempt.ts';
import { adoptAction } from './started-items.ts';
import type { NodeTask, OpenNode } from './node-task.ts';
import { buildContext, type StepRunContext } from './step-context.ts';

/** An attempt that another host has started, and what resuming it needs. */
export interface AdoptedAttempt extends Pick<AttemptOptions, 'attempt' | 'completedItems'> {
  readonly open: OpenNode;
  readonly signal: AbortSignal;
  /** Called when the time of an attempt on a worker starts. */
  onStarted(): void;
}

/** Resumes what another host has started. Rejects when a value that it needs cannot be resolved. */
export async function adoptAttempt(
  runContext: StepRunContext,
  task: NodeTask,
  { attempt, completedItems, open, signal, onStarted }: AdoptedAttempt,
): Promise<RunningStep> {
  const { dir, startedAt } = open.attempt;
  const attemptPath = path.join(runContext.runDir, dir);
  const hasItems = isParallel(task);
  if (!hasItems && runContext.remote.getSelector(task.step) !== undefined) {
    const known = open.attempt.worker;
    const start = await runContext.remote.prepare(runContext, task, {
      attempt,
      signal,
      path: attemptPath,
      known,
      onStarted,
    });
    // Nothing is offered for a run that another host owns.
    await runContext.durable();
    return start();
  }
  if (!hasItems && !isHostsAction(task.step.action)) {
    return adoptAction(runContext, task.step, {
      attemptPath,
      process: open.attempt,
      isSameBoot: open.isSameBoot,
    });
  }
  prepareFolder(attemptPath);
  const context = await buildContext(runContext, task, {
    attempt,
    signal,
    path: attemptPath,
    since: { at: startedAt },
  });
  if (!hasItems) return startAction(context);
  return new ItemsAttempt(
    runContext,
    task,
    { attempt, signal, dir, context, open, onStarted },
    completedItems,
  ).begin();
}

/** Deletes the result of an unrecorded end. The result of a sub-run, a question or items is written at their end. */
function prepareFolder(attemptPath: string): void {
  mkdirSync(attemptPath, { recursive: true, mode: 0o700 });
  rmSync(path.join(attemptPath, attemptFiles.stdout), { force: true });
}
