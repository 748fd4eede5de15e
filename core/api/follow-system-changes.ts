import { toIso, type Dispose } from '../base/clock.ts';
import { toAppError, toErrorBody } from '../base/errors.ts';
import type { StreamInput } from '../contract/operations.ts';
import type { ReadingView, SystemChangeView } from '../contract/system.ts';
import type { StreamObserver } from '../contract/transport.ts';
import type { Reading } from '../process/monitor/resource-monitor.ts';
import type { EngineContext } from './engine-context.ts';
import { followDags } from './follow-events.ts';
import { getSchedulers } from './handlers/schedule-handlers.ts';
import { listHostViews } from './handlers/system-handlers.ts';
import { type ChangeSubscription, Throttle } from './system-changes.ts';

type Topic = StreamInput<'system.changes'>['topic'];

/** Number of items of a queue whose order is watched; the size of a page. */
const watchedItems = 200;

/** The data of the system pages, read in a form that can be compared. */
const reads: Readonly<
  Record<Exclude<Topic, 'dags' | 'load' | 'workers'>, (context: EngineContext) => unknown>
> = {
  queues: readQueues,
  approvals: ({ approvals }) => approvals.mark(),
  hosts: listHostViews,
  schedulers: getSchedulers,
  webhooks: ({ webhookRevision }) => webhookRevision(),
};

/**
 * Sends a notification when a topic changes, and the first one as soon as every later change is reported.
 * @throws `monitoring_off`
 */
export function followSystemChanges(
  context: EngineContext,
  { topic }: StreamInput<'system.changes'>,
  observer: StreamObserver<SystemChangeView>,
): Dispose {
  let isOver = false;
  const notify = (reading?: ReadingView): void => observer.item({ topic, ...(reading && { reading }) });
  const { ready, dispose } = subscribe(context, topic, notify);
  const stop = (): void => {
    isOver = true;
    dispose();
  };
  ready.then(
    () => {
      if (!isOver) observer.item({ topic });
    },
    (error: unknown) => {
      if (isOver) return;
      stop();
      observer.end(toErrorBody(toAppError(error)));
    },
  );
  return stop;
}

function subscribe(
  context: EngineContext,
  topic: Topic,
  notify: (reading?: ReadingView) => void,
): ChangeSubscription {
  const { monitor, changes, expectations } = context;
  const ready = Promise.resolve();
  if (topic === 'load')
    return { ready, dispose: monitor.subscribe((reading) => notify(toReadingView(reading))) };
  if (topic === 'workers') return { ready, dispose: followDispatch(context, () => notify()) };
  if (topic !== 'dags')
    return changes.subscribe(
      topic,
      () => reads[topic](context),
      () => notify(),
    );
  const stopFiles = followDags(context, () => notify());
  const missed = changes.subscribe(
    'missed',
    () => expectations.listOpen(),
    () => notify(),
  );
  const dispose = (): void => {
    stopFiles();
    missed.dispose();
  };
  return { ready: missed.ready, dispose };
}

/**
 * Excludes the reasons why single runs wait: they take long to compute, and change together with the data that is read
 * here.
 */
async function readQueues({ queues }: EngineContext): Promise<unknown> {
  const all = (await queues.list()).map(async (overview) => {
    const { name, waiting } = overview.queue;
    const items = waiting === 0 ? [] : await queues.items(name, { limit: watchedItems });
    return [overview, items.map(({ run, priority, key, claimedAt }) => [run.key, priority, key, claimedAt])];
  });
  return [await queues.isProcessed(), await Promise.all(all)];
}

function toReadingView({ at, state }: Reading): ReadingView {
  const known = Object.entries(state).filter(([, value]) => !Number.isNaN(value));
  return { timestamp: toIso(at), ...Object.fromEntries(known) };
}

/** Minimum interval of updates in milliseconds, however many tasks are dispatched and finished. */
const coalesceMs = 1000;

/** Calls back when tasks of workers have changed, by any process. */
function followDispatch(
  { tasks, clock }: Pick<EngineContext, 'tasks' | 'clock'>,
  notify: () => void,
): Dispose {
  let isOver = false;
  let stopListening: Dispose | undefined;
  const throttle = new Throttle(clock, coalesceMs, notify);
  tasks().then(
    (store) => {
      if (!isOver) stopListening = store.onWake(throttle.note);
    },
    // The request for the list of workers reports the error.
    () => undefined,
  );
  return () => {
    isOver = true;
    throttle.close();
    stopListening?.();
  };
}
