import type { Caller, EngineApi } from '../api/engine-api.ts';
import type { RunDetailView, AttemptView, StepRunView } from '../contract/run-views.ts';
import type { Dispose } from '../base/clock.ts';
import type { EventView } from '../contract/logs.ts';
import { isFinal } from '../model/run.ts';
import { AppError } from '../base/errors.ts';
import { findNearest } from '../base/text.ts';
import type { NodeId } from '../model/run-event.ts';
import type { Channel } from './terminal.ts';
import { openLogWriter, LogReader, type LogTail, tailLog } from './log-output.ts';

interface PrintOptions {
  readonly api: EngineApi;
  readonly caller: Caller;
  readonly channel: Channel;
  readonly choice: LogChoice;
}

/** Writes the current contents of logs, one after the other. */
export async function printLogs(logs: readonly LogRef[], options: PrintOptions): Promise<void> {
  for (const address of logs) {
    if (options.channel.closed) return;
    const writer = openLogWriter(options.channel, options.choice, address);
    const reader = new LogReader(options.api, options.caller, address);
    // Logs can be larger than memory, so each is written before the next is read.
    await reader.readNew((bytes) => writer.write(bytes));
    await writer.end();
  }
}

const linesAtOnce = 1000;

/**
 * Writes logs as one JSON object `{name, dagRunId, status, logs: [{step, section, attempt, stream, lines}]}` (with
 * `item` if selected), in chunks for the same reason.
 */
export async function printLogsAsJson(
  run: RunDetailView,
  logs: readonly LogRef[],
  { api, caller, channel }: PrintOptions,
): Promise<void> {
  const { name, dagRunId, status } = run;
  await channel.write(`${JSON.stringify({ name, dagRunId, status }).slice(0, -1)},"logs":[`);
  for (const [index, address] of logs.entries()) {
    const { step, section, attempt, item, stream } = address;
    const head = JSON.stringify({ step, section, attempt, item, stream }).slice(0, -1);
    await channel.write(`${index > 0 ? ',' : ''}${head},"lines":[`);
    await writeLines(api, caller, channel, address);
    await channel.write(']}');
  }
  await channel.write(']}\n');
}

async function writeLines(api: EngineApi, caller: Caller, channel: Channel, address: LogRef): Promise<void> {
  for (let from = 0; !channel.closed;) {
    const page = await api.call('logs.lines', { ...address, from, count: linesAtOnce }, caller);
    const texts = page.lines.map((line) => JSON.stringify(line)).join(',');
    if (texts !== '') await channel.write(`${from > 0 ? ',' : ''}${texts}`);
    from += page.lines.length;
    if (page.lines.length === 0 || (page.estimated === undefined && from >= page.totalLines)) return;
  }
}

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
  const { promise: remaining, resolve: leave } = Promise.withResolvers<void>();
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
    await Promise.race([showAll(), remaining, failed]);
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
  return getAddresses(run, event.node, event.attempt, choice);
}

/** Resolves when the run (or the selected step) has ended, or the reader closes. */
export async function waitUntilEnded(run: RunDetailView, options: FollowOptions): Promise<void> {
  const { promise: remaining, resolve: leave } = Promise.withResolvers<void>();
  const stops = [options.channel.onClosed(leave)];
  try {
    const ended = watchUntilEnded(run, options, () => {});
    stops.push(ended.stop);
    await Promise.race([ended.promise, remaining]);
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

/**
 * Returns the existing logs of a selection, with attempts in start order. An item may have fewer attempts than its
 * step, because a retry runs only failed items.
 */
export async function findLogs(
  api: EngineApi,
  caller: Caller,
  run: RunDetailView,
  choice: LogChoice,
): Promise<LogRef[]> {
  const logs = listLogs(run, choice);
  if (choice.item === undefined) return logs;
  const having = new Set<number>();
  for (const attempt of new Set(logs.map((log) => log.attempt))) {
    if (
      await hasItem(
        api,
        caller,
        logs.find((log) => log.attempt === attempt)!,
      )
    )
      having.add(attempt);
  }
  return logs.filter(({ attempt }) => having.has(attempt));
}

async function hasItem(api: EngineApi, caller: Caller, address: LogRef): Promise<boolean> {
  const { name, dagRunId, step, section, attempt, item = 1 } = address;
  const cursor = item === 1 ? undefined : String(item - 1);
  const page = await api.call(
    'runs.items',
    { name, dagRunId, step, section, attempt, cursor, limit: 1 },
    caller,
  );
  return page.items[0]?.item === item;
}

export type StreamName = 'stdout' | 'stderr';

/** Address of one log file of a run. */
export interface LogRef {
  readonly name: string;
  readonly dagRunId: string;
  readonly step: string;
  readonly section: NodeId['section'];
  readonly attempt: number;
  /** Default: the log of the attempt itself. */
  readonly item?: number;
  readonly stream: StreamName;
}

/** Selection of logs. */
export interface LogChoice {
  /** Default: every step and handler. */
  readonly node?: NodeId;
  /** Default: every attempt. */
  readonly attempt?: number;
  /** Only this item of the node. */
  readonly item?: number;
  readonly streams: readonly StreamName[];
}

/** Returns the step or, if there is none, the handler with this name. Throws `not_found` with the nearest name. */
export function findNode(run: RunDetailView, name: string): NodeId {
  const nodes = [...run.steps, ...run.handlers];
  const found = nodes.find((node) => node.name === name);
  if (found !== undefined) return { section: found.section, name };
  const nearest = findNearest(
    name,
    nodes.map((node) => node.name),
  );
  throw new AppError('not_found', `Run ${run.dagRunId} of ${run.name} has no step named "${name}".`, {
    details: nearest === undefined ? { steps: nodes.map((node) => node.name) } : { nearest },
  });
}

/** Returns the existing logs, with attempts in start order. */
function listLogs(run: RunDetailView, choice: LogChoice): LogRef[] {
  return [...run.steps, ...run.handlers]
    .filter(({ section, name }) => isChosen(choice, { section, name }))
    .flatMap((step) => step.attempts.map((attempt) => ({ step, attempt })))
    .filter(({ attempt }) => choice.attempt === undefined || attempt.attempt === choice.attempt)
    .sort(byStart)
    .flatMap(({ step, attempt }) => getAddresses(run, step, attempt.attempt, choice));
}

/** Whether a step or handler is selected. */
const isChosen = ({ node }: LogChoice, { section, name }: NodeId): boolean =>
  node === undefined || (node.section === section && node.name === name);

/** Returns the logs of an attempt, or of its selected item. */
const getAddresses = (
  run: { readonly name: string; readonly dagRunId: string },
  node: NodeId,
  attempt: number,
  { item, streams }: Pick<LogChoice, 'item' | 'streams'>,
): LogRef[] =>
  streams.map((stream) => ({
    name: run.name,
    dagRunId: run.dagRunId,
    step: node.name,
    section: node.section,
    attempt,
    ...(item === undefined ? {} : { item }),
    stream,
  }));

interface StartedAttempt {
  readonly step: StepRunView;
  readonly attempt: AttemptView;
}

function byStart(remaining: StartedAttempt, right: StartedAttempt): number {
  return Date.parse(remaining.attempt.startedAt) - Date.parse(right.attempt.startedAt);
}
