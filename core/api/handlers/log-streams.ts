import type { Dispose } from '../../base/clock.ts';
import { AppError, type ErrorBody } from '../../base/errors.ts';
import { latestRunId } from '../../base/ids.ts';
import type { LogExtent, LogMatches, LogText } from '../../contract/logs.ts';
import type { StreamInput } from '../../contract/operations.ts';
import type { StreamObserver } from '../../contract/transport.ts';
import type { RunEvent } from '../../model/run-event.ts';
import type { RunRef } from '../../model/run.ts';
import type { TextSelection } from '../../run/logs/log-followers.ts';
import type { EngineContext } from '../engine-context.ts';
import { findLog, findRunLog, type LogLocation, type StepLogLocation } from './log-handlers.ts';

/**
 * Reports the size of the log of an attempt, or of one of its items, until that has ended.
 * @throws `not_found`
 */
export async function followLog(
  context: EngineContext,
  input: StreamInput<'logs.follow'>,
  observer: StreamObserver<LogExtent>,
): Promise<Dispose> {
  const log = { run: await findRef(context, input), find: () => findLog(context, input), ends: endsLog };
  return followUntilEnd(context, log, observer, ({ file, isComplete }, subscriber) =>
    context.logs.follow(file, isComplete, subscriber),
  );
}

/**
 * Streams the lines of that log.
 * @throws `not_found`, and `bad_request` for the id `latest`
 */
export function followLogText(
  context: EngineContext,
  { after, tail, charset, ...address }: StreamInput<'logs.followText'>,
  observer: StreamObserver<LogText>,
): Promise<Dispose> {
  assertNotLatest(address);
  const log = { run: address, find: () => findLog(context, address), ends: endsLog };
  return followUntilEnd(context, log, observer, (location, subscriber) =>
    context.logs.followText({ ...location, start: { after, tail }, charset }, subscriber),
  );
}

/**
 * Searches the current content of that log.
 * @throws `not_found`, `bad_request` for an invalid pattern, and `too_many_requests`
 */
export async function searchLog(
  context: EngineContext,
  input: StreamInput<'logs.search'>,
  observer: StreamObserver<LogMatches>,
): Promise<Dispose> {
  const { file } = await findLog(context, input);
  return context.logs.search(file, input, observer);
}

/**
 * Streams the lines of a run's own log until the run has ended.
 * @throws as {@link followLogText} does
 */
export function followRunLog(
  context: EngineContext,
  { after, tail, ...run }: StreamInput<'logs.followRun'>,
  observer: StreamObserver<LogText>,
): Promise<Dispose> {
  assertNotLatest(run);
  const ends = (_: LogLocation, { type }: RunEvent): boolean => type === 'run.finished';
  const log = { run, find: () => findRunLog(context, run), ends };
  return followUntilEnd(context, log, observer, (location, subscriber) =>
    context.logs.followText({ ...location, start: { after, tail } }, subscriber),
  );
}

const findRef = async ({ store }: EngineContext, run: RunRef): Promise<RunRef> =>
  (run.dagRunId === latestRunId ? await store.latestRun(run.name) : undefined) ?? run;

/** Rejects `latest`: an offset to resume from belongs to a certain file, and `latest` may mean another run later. */
function assertNotLatest({ dagRunId }: RunRef): void {
  if (dagRunId !== latestRunId) return;
  throw new AppError(
    'bad_request',
    `dagRunId: streaming a log requires the run ID because "${latestRunId}" can refer to another run when ` +
      'the stream is resumed',
    { details: { field: 'dagRunId' } },
  );
}

/** A log of a run. */
interface RunLog<Location extends LogLocation> {
  readonly run: RunRef;
  readonly find: () => Promise<Location>;
  /** Whether the log is complete after an event of the run. */
  readonly ends: (location: Location, event: RunEvent) => boolean;
}

/** Follows a log until it is complete, either from the start or after an event of its run. */
async function followUntilEnd<Item, Location extends LogLocation>(
  context: EngineContext,
  { run: { name, dagRunId }, find, ends }: RunLog<Location>,
  observer: StreamObserver<Item>,
  follow: (log: Pick<TextSelection, 'file' | 'isComplete'>, subscriber: StreamObserver<Item>) => Dispose,
): Promise<Dispose> {
  let complete = false;
  let isRemote = false;
  const early: RunEvent[] = [];
  let onEvent = (event: RunEvent): void => void early.push(event);
  // Subscribe before reading, so that events of other hosts in between are received.
  const unsubscribe = context.hub.subscribe(({ event }) => onEvent(event), { name, dagRunId });
  const location = await findOrRelease(unsubscribe, async () => {
    await context.hub.ready();
    return await find();
  });
  onEvent = (event) => {
    complete ||= ends(location, event);
    // A worker writes some log of the run; a run without workers has nothing to fetch.
    isRemote ||= event.type === 'step.dispatched';
  };
  for (const event of early) onEvent(event);
  complete ||= location.complete;
  const end = (error?: ErrorBody): void => {
    unsubscribe();
    watch.stop();
    observer.end(error);
  };
  isRemote ||= location.isRemote;
  const watch = context.mirror.watch(location.file, { isRemote: () => isRemote, isComplete: () => complete });
  const unfollow = follow(
    { file: location.file, isComplete: watch.isComplete },
    {
      item: (item) => observer.item(item),
      end,
      position: (id) => observer.position?.(id),
      ...(observer.drained && { drained: () => observer.drained?.() }),
    },
  );
  return () => {
    unsubscribe();
    watch.stop();
    unfollow();
  };
}

async function findOrRelease<Location>(release: Dispose, find: () => Promise<Location>): Promise<Location> {
  try {
    return await find();
  } catch (error) {
    release();
    throw error;
  }
}

/** Whether a log is complete after an event of its run. */
function endsLog({ node, attempt, item }: StepLogLocation, event: RunEvent): boolean {
  if (event.type === 'run.finished') return true;
  if (!('node' in event) || event.node?.section !== node.section || event.node.name !== node.name)
    return false;
  switch (event.type) {
    case 'step.ended':
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
