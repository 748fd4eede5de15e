import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { Dispose } from '../../base/clock.ts';
import type { EventView } from '../../contract/runs/events.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import { isFinal } from '../../model/run/status.ts';
import type { Channel } from '../terminal.ts';
import { addressesOf, isChosen, type LogRef, type LogChoice } from './log-ref.ts';
import { openLogWriter } from './log-writer.ts';
import { type LogTail, tailLog } from './tail-log.ts';

interface FollowOptions {
  readonly api: EngineApi;
  readonly caller: Caller;
  readonly channel: Channel;
  readonly choice: LogChoice;
}

/**
 * Follows the logs of a run until the run (or the selected step) has ended and all output is shown, or the reader
 * closes.
 * @param logs known when the run was loaded
 */
export async function followLogs(
  run: RunDetailView,
  logs: readonly LogRef[],
  options: FollowOptions,
): Promise<void> {
  const { api, caller, channel, choice } = options;
  const tails = new Map<string, LogTail>();
  const stops: Dispose[] = [];
  let over = false;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const start = (address: LogRef): LogTail | undefined => {
    const key = JSON.stringify([address.section, address.step, address.attempt, address.stream]);
    if (over || tails.has(key)) return undefined;
    const tail = tailLog(api, caller, address, openLogWriter(channel, choice, address));
    stops.push(tail.stop);
    tails.set(key, tail);
    tail.ended.catch(fail);
    return tail;
  };
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  stops.push(channel.onClosed(leave));
  // Existing logs are shown in start order, regardless of which file is read faster.
  const startFirst = async (): Promise<void> => {
    for (const address of logs) await start(address)?.catchUp();
  };
  let turn = startFirst();
  turn.catch(fail);
  // The last lines of a step come before the first lines of steps that depend on it.
  const startNext = async (before: Promise<void>, started: readonly LogRef[]): Promise<void> => {
    await before;
    await Promise.all([...tails.values()].map((tail) => tail.catchUp()));
    started.forEach(start);
  };
  const ended = watchUntilEnded(run, options, (event) => {
    const started = listStarted(run, choice, event);
    if (started.length === 0) return;
    turn = startNext(turn, started);
    turn.catch(fail);
  });
  stops.push(ended.stop);
  const showAll = async (): Promise<void> => {
    await ended.promise;
    await turn;
    await Promise.all([...tails.values()].map((tail) => tail.ended));
  };
  try {
    await Promise.race([showAll(), left, failed]);
  } finally {
    over = true;
    for (const stop of stops) stop();
  }
}

/** Returns the logs that an event starts. */
function listStarted(run: RunDetailView, choice: LogChoice, { event }: EventView): LogRef[] {
  if (event.type !== 'step.started' && event.type !== 'step.item_started') return [];
  const item = event.type === 'step.started' ? undefined : event.item;
  if (choice.item !== item || !isChosen(choice, event.node)) return [];
  if (choice.attempt !== undefined && choice.attempt !== event.attempt) return [];
  return addressesOf(run, event.node, event.attempt, choice);
}

/** Resolves when the run (or the selected step) has ended, or the reader closes. */
export async function waitUntilEnded(run: RunDetailView, options: FollowOptions): Promise<void> {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const stops = [options.channel.onClosed(leave)];
  try {
    const ended = watchUntilEnded(run, options, () => {});
    stops.push(ended.stop);
    await Promise.race([ended.promise, left]);
  } finally {
    for (const stop of stops) stop();
  }
}

/** Forwards the run's events. Resolves when no further attempt can start. */
function watchUntilEnded(
  run: RunDetailView,
  { api, caller, choice }: FollowOptions,
  each: (event: EventView) => void,
): { promise: Promise<void>; stop: Dispose } {
  const chosen = choice.node && [...run.steps, ...run.handlers].find((step) => isChosen(choice, step));
  if (isFinal(run.status) || (chosen && isFinal(chosen.status)))
    return { promise: Promise.resolve(), stop() {} };
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = api.follow(
    'events.follow',
    { name: run.name, dagRunId: run.dagRunId, after: run.lastEventId },
    {
      item(item) {
        each(item);
        if (item.event.type === 'run.finished' || isLastEvent(choice, item)) resolve();
      },
      end: () => resolve(),
    },
    caller,
  );
  return { promise, stop };
}

const isLastEvent = (choice: LogChoice, { event }: EventView): boolean =>
  choice.node !== undefined &&
  (event.type === 'step.finished' || event.type === 'step.ended') &&
  isChosen(choice, event.node);
