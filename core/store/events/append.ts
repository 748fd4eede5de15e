import type { NodeId, RecordedEvent, RunEvent } from '../../model/run-event.ts';
import { isFinal, type RunStatus } from '../../model/run.ts';
import {
  assumeNoChannels,
  deferChannels,
  forgetNotifiedRuns,
  readNotifiedRuns,
} from '../notifications/notify-event.ts';
import type { Appended, BatchOutcome, EventBatch, EventCursor } from '../types/runs.ts';
import type { Database } from '../database/database.ts';
import { deferOwnerships, unchangedRuns, type Ownership } from '../run-ownership.ts';
import {
  assumeNoListeners,
  deferListeners,
  forgetReportedRuns,
  readReportedRuns,
} from '../webhooks/events.ts';
import { applyRunEvent } from './apply-run-event.ts';
import { applyStepEvent, deferStepState } from './apply-step-event.ts';
import { BatchRejected, deferEvents, illegalEventError, logEvents, reportEvent } from './events.ts';
import {
  isStepEvent,
  newStep,
  nextStepState,
  type RunState,
  type RunStates,
  type StepState,
  stepKeyOf,
} from './run-states.ts';

/**
 * Writes batches of events. Runs that this process has written before are not read again: the transaction only succeeds
 * if they still are as it has left them.
 * @param cursor of events to return
 */
export async function append(
  database: Database,
  batches: readonly EventBatch[],
  states: RunStates,
  cursor?: EventCursor,
): Promise<Appended> {
  if (batches.length === 0) return { outcomes: [], events: [] };
  // In one order for all hosts, so that they do not wait for each other's rows.
  const keys = [...new Set(batches.map(({ runKey }) => runKey))].toSorted((left, right) => left - right);
  const known = new Map(keys.map((key) => [key, states.get(key)] as const));
  // Unknown until the commit, whose end may be unknown too.
  states.forget(keys);
  const appended =
    (await appendKnown(database, batches, known, cursor)) ??
    (await appendRead(database, batches, known, cursor));
  const { outcomes } = appended;
  const rejected = new Set(
    batches.filter((_, index) => outcomes[index]!.outcome !== 'written').map(({ runKey }) => runKey),
  );
  for (const [key, state] of known)
    if (state !== undefined && !isFinal(state.status) && !rejected.has(key)) states.set(key, state);
  return { outcomes, events: appended.events() };
}

/** The states of the runs of all batches; undefined for one that cannot be written. */
type States = Map<number, RunState | undefined>;

/** What a transaction has written, and the events to return, which come with the commit. */
interface Written {
  readonly outcomes: BatchOutcome[];
  readonly events: () => readonly RecordedEvent[];
}

/** Resolves with undefined when a run must be read first: it is new to this process, or it has changed. */
async function appendKnown(
  database: Database,
  batches: readonly EventBatch[],
  states: States,
  cursor: EventCursor | undefined,
): Promise<Written | undefined> {
  const runs = [...states].flatMap(([key, state]) => (state === undefined ? [] : [{ key, ...state }]));
  if (!batches.every((batch) => isKnown(batch, states.get(batch.runKey)))) return undefined;
  return await database.transactIf(unchangedRuns(runs), () => {
    assumeNoListeners(database);
    assumeNoChannels(database);
    return writeBatches(database, batches, (batch) => writeBatch(database, batch, states), cursor);
  });
}

function writeBatches(
  database: Database,
  batches: readonly EventBatch[],
  write: (batch: EventBatch) => BatchOutcome,
  cursor: EventCursor | undefined,
): Written {
  const outcomes = batches.map(write);
  return { outcomes, events: cursor === undefined ? () => [] : deferEvents(database, cursor) };
}

const isKnown = ({ epoch, events, inDoubt = 0 }: EventBatch, state: RunState | undefined): boolean =>
  state !== undefined &&
  inDoubt === 0 &&
  state.epoch === epoch &&
  events.every(({ event }) => !isStepEvent(event) || findStep(state, event.node) !== undefined);

const findStep = ({ steps, isWhole }: RunState, node: NodeId): StepState | undefined =>
  steps.get(stepKeyOf(node)) ?? (isWhole ? newStep : undefined);

const appendRead = (
  database: Database,
  batches: readonly EventBatch[],
  states: States,
  cursor: EventCursor | undefined,
): Promise<Written> =>
  database.transact(() => {
    const owners = deferOwnerships(database, [...states.keys()]);
    deferListeners(database);
    deferChannels(database);
    const steps = deferSteps(database, batches);
    for (const key of states.keys()) states.set(key, toState(owners().get(key), steps.get(key)!));
    readReportedRuns(database, batches);
    readNotifiedRuns(database, batches);
    const write = (batch: EventBatch) => writeBatch(database, batch, states, owners().get(batch.runKey));
    return writeBatches(database, batches, write, cursor);
  });

/** Step states that are about to be read, by their names. */
type DeferredSteps = Map<string, () => StepState>;

function deferSteps(database: Database, batches: readonly EventBatch[]): ReadonlyMap<number, DeferredSteps> {
  const runs = new Map<number, DeferredSteps>();
  for (const { runKey, events } of batches) {
    const steps: DeferredSteps = runs.get(runKey) ?? new Map();
    runs.set(runKey, steps);
    for (const { event } of events) {
      if (!isStepEvent(event) || steps.has(stepKeyOf(event.node))) continue;
      steps.set(stepKeyOf(event.node), deferStepState(database, runKey, event.node));
    }
  }
  return runs;
}

function toState(run: Ownership | undefined, steps: DeferredSteps): RunState | undefined {
  if (run === undefined) return undefined;
  const read = [...steps].map(([step, state]) => [step, state()] as const);
  return { epoch: run.epoch, status: run.status, steps: new Map(read), isWhole: false };
}

/** @param owner of the run, when it was read */
function writeBatch(database: Database, batch: EventBatch, states: States, owner?: Ownership): BatchOutcome {
  try {
    database.savepoint(() => applyBatch(database, batch, states.get(batch.runKey), owner));
    return { outcome: 'written' };
  } catch (error) {
    if (!(error instanceof BatchRejected)) throw error;
    forgetReportedRuns(database);
    forgetNotifiedRuns(database);
    return { outcome: error.outcome, reason: error.message };
  }
}

/** Writes the events, and then notes their effect on the state of the run. */
function applyBatch(
  database: Database,
  requested: EventBatch,
  known: RunState | undefined,
  owner: Ownership | undefined,
): void {
  const batch = dropCommitted(database, requested);
  // The run may have ended with them, and be owned by another host by now. Otherwise only its owner may go on.
  const isOver = requested.events.at(-1)?.event.type === 'run.finished';
  if (batch.events.length === 0 && isOver) return;
  const state = requireOwned(batch, known, owner);
  let { status } = state;
  const steps = new Map<string, StepState>();
  for (const { at, event } of batch.events) {
    if (isFinal(status)) throw illegalEventError(`the run is ${status}, which does not allow ${event.type}`);
    const step = isStepEvent(event)
      ? (steps.get(stepKeyOf(event.node)) ?? findStep(state, event.node))
      : undefined;
    status = applyEvent(database, { runKey: batch.runKey, status, step: step ?? newStep }, at, event);
    if (isStepEvent(event)) steps.set(stepKeyOf(event.node), nextStepState(step ?? newStep, event));
    reportEvent(database, batch.runKey, { at, event });
  }
  logEvents(database, batch.runKey, batch.events);
  state.status = status;
  for (const [key, step] of steps) state.steps.set(key, step);
}

/** Returns the run's state when the batch comes from its owner. */
function requireOwned(
  { runKey, epoch }: EventBatch,
  state: RunState | undefined,
  owner: Ownership | undefined,
): RunState {
  if (state === undefined) throw illegalEventError(`run with key ${runKey} not found`);
  if (epoch !== state.epoch)
    throw new BatchRejected('stale', `the run is at epoch ${state.epoch}, the writer at ${epoch}`);
  if (isFinal(state.status)) throw illegalEventError(`the run is ${state.status} and can no longer change`);
  if (owner !== undefined && owner.owner === undefined)
    throw new BatchRejected('stale', 'the run has not been claimed');
  return state;
}

/** Applies an event; returns the status of the run afterwards. */
function applyEvent(
  database: Database,
  run: { runKey: number; status: RunStatus; step: StepState },
  at: number,
  event: RunEvent,
): RunStatus {
  switch (event.type) {
    case 'run.created':
    case 'run.retried':
    case 'run.started':
    case 'run.stop_requested':
    case 'run.finished':
      return applyRunEvent(database, run, at, event);
    case 'run.recovered':
      throw illegalEventError('only takeOver can change the owner of a run');
    case 'step.status_set':
      throw illegalEventError('step statuses can only be set after the end of the run');
    case 'run.note_changed':
      throw illegalEventError('notes can only be changed from outside the run');
    case 'step.approval_resolved':
      throw illegalEventError('approvals can only be answered from outside the run');
    case 'run.message':
    case 'run.terminating':
    case 'run.notification':
      return run.status;
    default:
      applyStepEvent(database, run, at, event);
      return run.status;
  }
}

/** Most events of others, such as stop requests, that may have been written in between. */
const maxOtherEvents = 100;

export const newestRunEventsSql =
  'SELECT at, type, data FROM event WHERE run_key = ? ORDER BY id DESC LIMIT ?';

/**
 * Returns the batch without the events that an earlier commit, whose response was lost, has written. A batch is written
 * as a whole, so its events are in order; events of others may be between them.
 */
function dropCommitted(database: Database, batch: EventBatch): EventBatch {
  const { runKey, events, inDoubt = 0 } = batch;
  if (inDoubt === 0) return batch;
  const newest = database.all<{ at: number; type: string; data: string }>(
    newestRunEventsSql,
    runKey,
    inDoubt + maxOtherEvents,
  );
  let committed = 0;
  for (const { at, type, data } of newest.toReversed()) {
    const next = events[committed];
    if (next === undefined || committed === inDoubt) break;
    const { type: nextType, ...nextData } = next.event;
    if (at === next.at && type === nextType && data === JSON.stringify(nextData)) committed += 1;
  }
  return { ...batch, events: events.slice(committed) };
}
