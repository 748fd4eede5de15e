import path from 'node:path';
import { toIso } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { StreamInput } from '../../../contract/operations.ts';
import { attemptFiles } from '../../../model/run/attempt-files.ts';
import type { LogCharset } from '../../../model/workflow/log-charset.ts';
import type { NodeId } from '../../../model/run/run-event.ts';
import type { ItemRecord, RunRef } from '../../../model/run/run.ts';
import { isFinal } from '../../../model/run/status.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { runLogFile } from '../../../run/kept/log-places.ts';
import { type AttemptPlace, describeNode, findAttempt } from './find-attempt.ts';
import type { HandlersFor } from '../handlers.ts';
import { requireRun } from './run-handlers.ts';

type LogAddress = StreamInput<'logs.follow'>;

/** Location of a log, and whether it is complete. */
export interface LogPlace {
  readonly run: RunRef;
  /** Whether a worker writes or has written it. */
  readonly isRemote: boolean;
  readonly file: string;
  readonly complete: boolean;
}

/** Location of the log of an attempt, or of one of its items. */
export interface StepLogPlace extends LogPlace {
  readonly node: NodeId;
  readonly attempt: number;
  readonly item: number | undefined;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly finishedAt: number | undefined;
}

interface LineRange {
  readonly from?: number;
  readonly count?: number;
  readonly charset?: LogCharset;
}

/** Operations on logs. */
export const logHandlers: HandlersFor<'logs.run' | 'logs.lines' | 'logs.bytes' | 'logs.times'> = {
  'logs.run': (input, parts) => readRunLog(parts, input),
  'logs.lines': (input, parts) => readStepLog(parts, input),
  'logs.times': async (input, parts) => {
    const { file, complete, startedAt, finishedAt } = await bringLog(parts, input);
    const times = await parts.logs.times(path.dirname(file), input.after ?? 0);
    const end = finishedAt === undefined ? {} : { finishedAt: toIso(finishedAt) };
    return { startedAt: toIso(startedAt), ...end, complete, ...times };
  },
  'logs.bytes': async (input, parts) => {
    const { file, complete } = await bringLog(parts, input);
    return await parts.logs.bytes(
      file,
      { offset: input.offset ?? 0, length: input.length ?? 65_536 },
      complete,
    );
  },
};

/**
 * Reads lines of a run's own log.
 * @throws `not_found`, also if the run has not started
 */
export function readRunLog(parts: EngineParts, input: RunRef & LineRange) {
  const { file, complete } = findRunLog(parts, input);
  return parts.logs.lines(file, toRange(input), complete);
}

/**
 * Returns the location of a run's own log.
 * @throws `not_found`, also if the run has not started
 */
export function findRunLog(parts: EngineParts, wanted: RunRef): LogPlace {
  const { run } = requireRun(parts, wanted);
  if (run.logDir === '')
    throw new AppError('not_found', `Run ${run.dagRunId} of ${run.name} has not started and has no log.`);
  const file = path.join(path.resolve(parts.paths.home, run.logDir), runLogFile);
  return { run, isRemote: false, file, complete: isFinal(run.status) };
}

/**
 * Reads lines of the log of an attempt, or of one of its items.
 * @throws `not_found`
 */
export async function readStepLog(parts: EngineParts, input: LogAddress & LineRange) {
  const { file, complete } = await bringLog(parts, input);
  return await parts.logs.lines(file, toRange(input), complete);
}

const toRange = ({ from = 0, count = 1000, charset }: LineRange) => ({ from, count, charset });

/** Does the same as {@link findLog}, and fetches the log. */
async function bringLog(parts: EngineParts, input: LogAddress): Promise<StepLogPlace> {
  const place = findLog(parts, input);
  await parts.mirror.refresh(place);
  return place;
}

/**
 * Returns the location of the log of an attempt, or of one of its items.
 * @throws `not_found`
 */
export function findLog(parts: EngineParts, input: LogAddress): StepLogPlace {
  const place = findAttempt(parts, input);
  const { run, record, logDir } = place;
  const item = input.item === undefined ? undefined : requireItem(parts, place, input.item);
  const { dir, startedAt, finishedAt } = item ?? record;
  return {
    run,
    isRemote: (item ?? record).worker !== undefined,
    file: path.join(logDir, dir, attemptFiles[input.stream ?? 'stdout']),
    node: record.node,
    attempt: record.attempt,
    item: input.item,
    startedAt,
    finishedAt,
    complete: finishedAt !== undefined || isFinal(run.status),
  };
}

function requireItem(parts: EngineParts, { run, record }: AttemptPlace, number: number): ItemRecord {
  const { node, attempt } = record;
  const [item] = parts.store.listItems(run, { node, attempt, after: number - 1, limit: 1 });
  if (item?.item === number) return item;
  throw new AppError(
    'not_found',
    `${describeNode(node)} of run ${run.dagRunId} has not started item ${number} in attempt ${attempt}.`,
  );
}
