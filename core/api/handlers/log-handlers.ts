import path from 'node:path';
import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { StreamInput } from '../../contract/operations.ts';
import {
  attemptFiles,
  type ItemRecord,
  type RunRef,
  isFinal,
  type AttemptRecord,
  type RunRecord,
} from '../../model/run.ts';
import type { LogCharset } from '../../model/workflow-rules.ts';
import type { NodeId } from '../../model/run-event.ts';
import { runLogFile } from '../../store/run-logs.ts';
import type { EngineContext } from '../engine-context.ts';
import type { HandlersFor } from './handlers.ts';
import { requireRun } from './run-handlers.ts';

type LogRef = StreamInput<'logs.follow'>;

/** Location of a log, and whether it is complete. */
export interface LogLocation {
  readonly run: RunRef;
  /** Whether a worker writes or has written it. */
  readonly isRemote: boolean;
  readonly file: string;
  readonly complete: boolean;
}

/** Location of the log of an attempt, or of one of its items. */
export interface StepLogLocation extends LogLocation {
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
  'logs.run': (input, context) => readRunLog(context, input),
  'logs.lines': (input, context) => readStepLog(context, input),
  'logs.times': async (input, context) => {
    const { file, complete, startedAt, finishedAt } = await fetchLog(context, input);
    const times = await context.logs.times(path.dirname(file), input.after ?? 0);
    const end = finishedAt === undefined ? {} : { finishedAt: toIso(finishedAt) };
    return { startedAt: toIso(startedAt), ...end, complete, ...times };
  },
  'logs.bytes': async (input, context) => {
    const { file, complete } = await fetchLog(context, input);
    return await context.logs.bytes(
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
export async function readRunLog(context: EngineContext, input: RunRef & LineRange) {
  const { file, complete } = await findRunLog(context, input);
  return context.logs.lines(file, toRange(input), complete);
}

/**
 * Returns the location of a run's own log.
 * @throws `not_found`, also if the run has not started
 */
export async function findRunLog(context: EngineContext, ref: RunRef): Promise<LogLocation> {
  const { run } = await requireRun(context, ref);
  if (run.logDir === '')
    throw new AppError('not_found', `Run ${run.dagRunId} of ${run.name} has not started and has no log.`);
  const file = path.join(path.resolve(context.paths.home, run.logDir), runLogFile);
  return { run, isRemote: false, file, complete: isFinal(run.status) };
}

/**
 * Reads lines of the log of an attempt, or of one of its items.
 * @throws `not_found`
 */
export async function readStepLog(context: EngineContext, input: LogRef & LineRange) {
  const { file, complete } = await fetchLog(context, input);
  return await context.logs.lines(file, toRange(input), complete);
}

const toRange = ({ from = 0, count = 1000, charset }: LineRange) => ({ from, count, charset });

/** Does the same as {@link findLog}, and fetches the log. */
async function fetchLog(context: EngineContext, input: LogRef): Promise<StepLogLocation> {
  const log = await findLog(context, input);
  await context.mirror.refresh(log);
  return log;
}

/**
 * Returns the location of the log of an attempt, or of one of its items.
 * @throws `not_found`
 */
export async function findLog(context: EngineContext, input: LogRef): Promise<StepLogLocation> {
  const log = await findAttempt(context, input);
  const { run, record, logDir } = log;
  const item = input.item === undefined ? undefined : await requireItem(context, log, input.item);
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

async function requireItem(
  context: EngineContext,
  { run, record }: LocatedAttempt,
  number: number,
): Promise<ItemRecord> {
  const { node, attempt } = record;
  const [item] = await context.store.listItems(run, { node, attempt, after: number - 1, limit: 1 });
  if (item?.item === number) return item;
  throw new AppError(
    'not_found',
    `${formatNode(node)} of run ${run.dagRunId} has not started item ${number} in attempt ${attempt}.`,
  );
}

/** How operations identify an attempt of a step or handler. */
export interface AttemptRef extends RunRef {
  readonly step: string;
  readonly section?: NodeId['section'];
  /** Default: the newest attempt. */
  readonly attempt?: number;
}

/** An attempt with its run and step. */
interface LocatedAttempt {
  readonly run: RunRecord;
  readonly record: AttemptRecord;
  /** Absolute path of the run's directory. */
  readonly logDir: string;
}

/**
 * Returns the attempt at an address.
 * @throws `not_found` with the state of the step if there is none
 */
export async function findAttempt(context: EngineContext, address: AttemptRef): Promise<LocatedAttempt> {
  const { run, steps } = await requireRun(context, address);
  const node: NodeId = { section: address.section ?? 'step', name: address.step };
  const step = steps.find((each) => each.node.section === node.section && each.node.name === node.name);
  const record =
    address.attempt === undefined
      ? step?.attempts.at(-1)
      : step?.attempts.find(({ attempt }) => attempt === address.attempt);
  if (record !== undefined) return { run, record, logDir: path.resolve(context.paths.home, run.logDir) };
  const what =
    step === undefined || address.attempt === undefined
      ? 'has not started or does not exist'
      : `has no attempt ${address.attempt}`;
  throw new AppError('not_found', `${formatNode(node)} of run ${run.dagRunId} ${what}.`);
}

/** Formats `Step "fetch"` for the start of a message. */
const formatNode = ({ section, name }: NodeId): string =>
  `${section === 'step' ? 'Step' : 'Handler'} "${name}"`;
