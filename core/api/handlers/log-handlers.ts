import path from 'node:path';
import type { Dispose } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { LogExtent } from '../../contract/logs.ts';
import type { StreamInput } from '../../contract/operations.ts';
import type { StreamObserver } from '../../contract/transport/bridge.ts';
import { attemptFiles } from '../../model/attempt-files.ts';
import type { NodeId, RunEvent } from '../../model/run-event.ts';
import type { ItemRecord, RunRef } from '../../model/run.ts';
import { isFinal } from '../../model/status.ts';
import type { EngineParts } from '../engine-parts.ts';
import { runLogFile } from '../../run/log-places.ts';
import { type AttemptPlace, describeNode, findAttempt } from './find-attempt.ts';
import type { HandlersFor } from './handlers.ts';
import { requireRun } from './run-handlers.ts';

type LogAddress = StreamInput<'logs.follow'>;

interface LogPlace {
  readonly run: RunRef;
  readonly file: string;
  readonly node: NodeId;
  readonly attempt: number;
  readonly item: number | undefined;
  readonly complete: boolean;
}

interface LineRange {
  readonly from?: number;
  readonly count?: number;
}

/** Operations on logs. */
export const logHandlers: HandlersFor<'logs.run' | 'logs.lines' | 'logs.bytes'> = {
  'logs.run': (input, parts) => readRunLog(parts, input),
  'logs.lines': (input, parts) => readStepLog(parts, input),
  'logs.bytes': (input, parts) => {
    const { file, complete } = findLog(parts, input);
    return parts.logs.bytes(file, { offset: input.offset ?? 0, length: input.length ?? 65_536 }, complete);
  },
};

/** Lines of a run's own log. Throws `not_found`, also while the run has not started. */
export function readRunLog(parts: EngineParts, input: RunRef & LineRange) {
  const { run } = requireRun(parts, input);
  if (run.logDir === '')
    throw new AppError(
      'not_found',
      `The run ${run.dagRunId} of ${run.name} has not started, so it has no log`,
    );
  const file = path.join(path.resolve(parts.paths.home, run.logDir), runLogFile);
  return parts.logs.lines(file, toRange(input), isFinal(run.status));
}

/** Lines of the log of an attempt, or of one item of it. Throws `not_found`. */
export function readStepLog(parts: EngineParts, input: LogAddress & LineRange) {
  const { file, complete } = findLog(parts, input);
  return parts.logs.lines(file, toRange(input), complete);
}

const toRange = ({ from = 0, count = 1000 }: LineRange) => ({ from, count });

/** Follows the log of one attempt, or of one item of it, until that has ended. Throws `not_found`. */
export function followLog(
  parts: EngineParts,
  input: LogAddress,
  observer: StreamObserver<LogExtent>,
): Dispose {
  const place = findLog(parts, input);
  let complete = place.complete;
  const { name, dagRunId } = place.run;
  const unsubscribe = parts.hub.subscribe(
    ({ event }) => {
      if (endsLog(place, event)) complete = true;
    },
    { name, dagRunId },
  );
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

/** Whether nothing more is written to a log after an event of its run. */
function endsLog({ node, attempt, item }: LogPlace, event: RunEvent): boolean {
  if (event.type === 'run.finished') return true;
  if (!('node' in event) || event.node?.section !== node.section || event.node.name !== node.name)
    return false;
  switch (event.type) {
    case 'step.settled':
      return true;
    case 'step.item_finished':
      return event.attempt === attempt && event.item === item;
    case 'step.finished':
    case 'step.retry_scheduled':
    case 'step.repeat_scheduled':
      return event.attempt === attempt;
    default:
      return false;
  }
}

function findLog(parts: EngineParts, input: LogAddress): LogPlace {
  const place = findAttempt(parts, input);
  const { run, record, logDir } = place;
  const item = input.item === undefined ? undefined : requireItem(parts, place, input.item);
  const { dir, finishedAt } = item ?? record;
  return {
    run,
    file: path.join(logDir, dir, attemptFiles[input.stream ?? 'stdout']),
    node: record.node,
    attempt: record.attempt,
    item: input.item,
    complete: finishedAt !== undefined || isFinal(run.status),
  };
}

function requireItem(parts: EngineParts, { run, record }: AttemptPlace, number: number): ItemRecord {
  const { node, attempt } = record;
  const [item] = parts.store.listItems(run, { node, attempt, after: number - 1, limit: 1 });
  if (item?.item === number) return item;
  throw new AppError(
    'not_found',
    `Attempt ${attempt} of ${describeNode(node)} of run ${run.dagRunId} has not begun an item ${number}`,
  );
}
