import path from 'node:path';
import type { Dispose } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { LogExtent } from '../contract/logs.ts';
import type { StreamInput } from '../contract/operations.ts';
import type { StreamObserver } from '../contract/bridge.ts';
import { attemptFiles } from '../model/attempt-files.ts';
import type { NodeId } from '../model/run-event.ts';
import type { RunRef } from '../model/run.ts';
import { isFinal } from '../model/status.ts';
import type { EngineParts } from './engine-parts.ts';
import type { HandlersFor } from './handlers.ts';
import { requireRun } from './run-handlers.ts';

type LogAddress = StreamInput<'logs.follow'>;

interface LogPlace {
  readonly run: RunRef;
  readonly file: string;
  readonly node: NodeId;
  readonly attempt: number;
  readonly complete: boolean;
}

/** Operations on step logs. */
export const logHandlers: HandlersFor<'logs.lines' | 'logs.bytes'> = {
  'logs.lines': (input, parts) => {
    const { file, complete } = findLog(parts, input);
    return parts.logs.lines(file, { from: input.from ?? 0, count: input.count ?? 1000 }, complete);
  },
  'logs.bytes': (input, parts) => {
    const { file, complete } = findLog(parts, input);
    return parts.logs.bytes(file, { offset: input.offset ?? 0, length: input.length ?? 65_536 }, complete);
  },
};

/** Follows the log of one attempt until the attempt has ended. Throws `not_found`. */
export function followLog(
  parts: EngineParts,
  input: LogAddress,
  observer: StreamObserver<LogExtent>,
): Dispose {
  const place = findLog(parts, input);
  let complete = place.complete;
  const unsubscribe = parts.hub.subscribe(({ dag, dagRunId, event }) => {
    if (dag !== place.run.name || dagRunId !== place.run.dagRunId) return;
    if (event.type === 'run.finished') complete = true;
    if (
      event.type !== 'step.finished' &&
      event.type !== 'step.retry_scheduled' &&
      event.type !== 'step.settled'
    )
      return;
    if (event.node.section === place.node.section && event.node.name === place.node.name) complete = true;
  });
  const unfollow = parts.logs.follow(place.file, () => complete, {
    item: (extent) => observer.item(extent),
    end: (error) => {
      unsubscribe();
      observer.end(error);
    },
  });
  return () => {
    unsubscribe();
    unfollow();
  };
}

function findLog(parts: EngineParts, input: LogAddress): LogPlace {
  const { run, steps } = requireRun(parts, input);
  const node: NodeId = { section: input.section ?? 'step', name: input.step };
  const record = steps.find((step) => step.node.section === node.section && step.node.name === node.name);
  const attempt =
    input.attempt === undefined
      ? record?.attempts.at(-1)
      : record?.attempts.find((each) => each.attempt === input.attempt);
  if (attempt === undefined) {
    const what = input.attempt === undefined ? 'has not started' : `has no attempt ${input.attempt}`;
    throw new AppError(
      'not_found',
      `${node.section === 'step' ? 'Step' : 'Handler'} "${node.name}" of run ${run.dagRunId} ${what}`,
    );
  }
  const runDir = path.resolve(parts.paths.home, run.logDir);
  const file = path.join(runDir, attempt.dir, attemptFiles[input.stream ?? 'stdout']);
  return {
    run,
    file,
    node,
    attempt: attempt.attempt,
    complete: attempt.finishedAt !== undefined || isFinal(run.status),
  };
}
