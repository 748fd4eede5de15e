import type { Dispose } from '../base/clock.ts';
import { toAppError, toErrorBody, runNotFoundError } from '../base/errors.ts';
import { latestRunId } from '../base/ids.ts';
import type { EventView } from '../contract/logs.ts';
import type { StreamObserver } from '../contract/transport.ts';
import type { StreamInput } from '../contract/operations.ts';
import type { RecordedEvent } from '../model/run-event.ts';
import { type RunRecord, type RunRef, isFinal } from '../model/run.ts';
import type { EventTopic } from '../run/event-hub.ts';
import type { DagChangeView } from '../contract/dag-files.ts';
import type { EngineContext } from './engine-context.ts';
import { toEventView } from './views.ts';
import { Throttle } from './system-changes.ts';

/** Number of stored events that are read per turn while a client catches up. */
const pageSize = 200;

type FollowContext = Pick<EngineContext, 'store' | 'hub' | 'clock'>;
type Observer = StreamObserver<EventView>;

/** Follows events of one run, one name, one id, or all events. */
export function followEvents(
  context: FollowContext,
  input: StreamInput<'events.follow'>,
  observer: Observer,
): Promise<Dispose> {
  const { name, dagRunId, after } = input;
  return new EventFollower(
    context,
    { topic: { name, dagRunId }, after, endsWithRun: false },
    observer,
  ).start();
}

/**
 * Follows events of the runs with the name of a workflow file.
 * @throws `not_found`
 */
export function followDagEvents(
  context: FollowContext & Pick<EngineContext, 'library'>,
  { fileName, after }: StreamInput<'events.followDag'>,
  observer: Observer,
): Promise<Dispose> {
  const [workflow] = context.library.peek(fileName).spec.workflows;
  const topic = { name: workflow?.name ?? fileName };
  return new EventFollower(context, { topic, after, endsWithRun: false }, observer).start();
}

/**
 * Follows events of one run until it has ended; the id `latest` means the newest run.
 * @throws `not_found`
 */
export async function followRunEvents(
  context: FollowContext,
  { name, dagRunId, after }: StreamInput<'events.followRun'>,
  observer: Observer,
): Promise<Dispose> {
  const id = dagRunId === latestRunId ? (await context.store.latestRun(name))?.dagRunId : dagRunId;
  if (id === undefined) throw runNotFoundError({ name, dagRunId });
  const following = { topic: { name, dagRunId: id }, after, endsWithRun: true };
  return await new EventFollower(context, following, observer).start();
}

/** The followed stream. */
interface FollowedTopic {
  readonly topic: EventTopic;
  /** Start after this event. Default: from now on. */
  readonly after: number | undefined;
  /** The topic is one run, and the stream ends with it. */
  readonly endsWithRun: boolean;
}

/**
 * Delivers the events of a topic: first the stored ones, page by page and with backpressure, then new ones from the
 * hub, without gaps or duplicates.
 */
class EventFollower {
  readonly #context: FollowContext;
  readonly #following: FollowedTopic;
  readonly #observer: Observer;
  /** Set if the topic is one run, whose stored events have an index of their own. */
  readonly #run: RunRef | undefined;
  #unsubscribe: Dispose = () => {};
  #lastId = 0;
  /** The last id that was sent to the observer as a position. */
  #sentId: number | undefined;
  #live = false;
  #hasEnded = false;
  /** Whether the hub has delivered an event while stored ones were read. */
  #hasMissed = false;
  #runHasEnded = false;

  constructor(context: FollowContext, following: FollowedTopic, observer: Observer) {
    this.#context = context;
    this.#following = following;
    this.#observer = observer;
    const { name, dagRunId } = following.topic;
    this.#run = name === undefined || dagRunId === undefined ? undefined : { name, dagRunId };
  }

  /** Follows from this call on, at the latest. Rejects with `not_found` if it would end with a run that does not exist. */
  async start(): Promise<Dispose> {
    const { store, hub } = this.#context;
    const { topic, after, endsWithRun } = this.#following;
    const pace = this.#observer.isPatient === true ? 'patient' : 'prompt';
    this.#unsubscribe = hub.subscribe((recorded) => this.#onMessage(recorded), topic, pace);
    try {
      this.#lastId = Math.min(after ?? Infinity, await store.lastEventId());
      // Read after the position is known: a later change of the state has its event after that position.
      if (endsWithRun) this.#runHasEnded = isFinal((await this.#requireRun()).status);
    } catch (error) {
      this.#leave();
      throw error;
    }
    this.#sendPosition();
    this.#catchUp().catch((error: unknown) => {
      this.#leave();
      this.#observer.end(toErrorBody(toAppError(error)));
    });
    return () => this.#leave();
  }

  async #requireRun(): Promise<RunRecord> {
    const run = this.#run && (await this.#context.store.findRun(this.#run));
    if (run === undefined) throw runNotFoundError(this.#run!);
    return run;
  }

  #leave(): void {
    this.#hasEnded = true;
    this.#unsubscribe();
  }

  #onMessage(recorded: RecordedEvent): void {
    this.#hasMissed = !this.#live;
    if (!this.#live) return;
    this.#deliver(recorded);
    this.#endAfterRun();
  }

  /** Delivers the stored events page by page; then the hub delivers new ones. */
  async #catchUp(): Promise<void> {
    const { store, clock } = this.#context;
    for (;;) {
      let mayHaveMore = false;
      this.#hasMissed = false;
      const events = await store.listEvents(this.#lastId, pageSize, this.#run);
      for (const recorded of events) {
        this.#deliver(recorded);
        const drained = this.#observer.drained?.();
        mayHaveMore ||= drained !== undefined;
        if (drained) await drained;
        if (this.#hasEnded) return;
      }
      if (this.#hasEnded) return;
      // The hub has delivered nothing since the last page was read.
      if (events.length < pageSize && !mayHaveMore && !this.#hasMissed) break;
      await new Promise<void>((resolve) => clock.soon(resolve));
      if (this.#hasEnded) return;
      this.#sendPosition();
    }
    this.#live = true;
    this.#sendPosition();
    this.#endAfterRun();
  }

  /** Sends the position, so that filtered events are not searched again on resume. */
  #sendPosition(): void {
    if (this.#lastId === this.#sentId) return;
    this.#sentId = this.#lastId;
    this.#observer.position?.(this.#lastId);
  }

  #deliver(recorded: RecordedEvent): void {
    if (this.#hasEnded || recorded.id <= this.#lastId) return;
    this.#lastId = recorded.id;
    const { name, dagRunId } = this.#following.topic;
    if (name !== undefined && recorded.dag !== name) return;
    if (dagRunId !== undefined && recorded.dagRunId !== dagRunId) return;
    if (recorded.event.type === 'run.finished') this.#runHasEnded = true;
    if (recorded.event.type === 'run.retried') this.#runHasEnded = false;
    this.#sentId = recorded.id;
    this.#observer.item(toView(recorded));
  }

  #endAfterRun(): void {
    if (this.#hasEnded || !this.#runHasEnded || !this.#following.endsWithRun) return;
    this.#leave();
    this.#observer.end();
  }
}

const views = new WeakMap<RecordedEvent, EventView>();

/** Returns the same view of an event for every subscriber, so that a transport can detect that it is the same. */
function toView(recorded: RecordedEvent): EventView {
  const known = views.get(recorded);
  if (known) return known;
  const view = toEventView(recorded);
  views.set(recorded, view);
  return view;
}

/** Interval of updates in milliseconds, however many files are written at once, for example by Git. */
const coalesceMs = 100;

/** Follows changes of all workflow files or of one, including renames, from now on. */
export const followDagChanges = (
  { editor }: Pick<EngineContext, 'editor'>,
  { fileName }: StreamInput<'dags.changes'>,
  observer: StreamObserver<DagChangeView>,
): Dispose =>
  editor.changes.subscribe((change) => {
    if (fileName === undefined || change.fileName === fileName || change.from === fileName)
      observer.item({ ...change });
  });

/** Calls back when workflow files were created, deleted or changed. */
export function followDags(
  { editor, clock }: Pick<EngineContext, 'editor' | 'clock'>,
  notify: () => void,
): Dispose {
  const throttle = new Throttle(clock, coalesceMs, notify);
  const stop = editor.changes.subscribe(throttle.note);
  return () => {
    stop();
    throttle.close();
  };
}
