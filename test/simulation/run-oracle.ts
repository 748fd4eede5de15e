import { isFinal, type RunStatus } from '../../core/model/run.ts';
import type { RunEvent } from '../../core/model/run-event.ts';
import type { Database } from '../../core/store/database/database.ts';
import type { BatchOutcome, EventBatch } from '../../core/store/types/runs.ts';

/** Operations that change runs. */
export type RunOperation =
  | 'create'
  | 'append'
  | 'claim'
  | 'takeOver'
  | 'retry'
  | 'return'
  | 'discard'
  | 'stop'
  | 'other';

/** Workflows of the world with a limit for their runs, as `NewRun` has it. */
export const workflowLimits: Readonly<Record<string, number>> = { limited: 2, single: 1 };
/** Queues of the world, and how many of their runs may be active. */
export const queueLimits: Readonly<Record<string, number>> = { wide: 2, narrow: 1 };

/** A run as the oracle reads it from the database. */
interface SeenRun {
  readonly key: number;
  readonly dag: string;
  readonly run_id: string;
  readonly status: RunStatus;
  readonly epoch: number;
  readonly owner_key: number | null;
  readonly queue: string | null;
  readonly claimed_at: number | null;
}

interface SeenEvent {
  readonly id: number;
  readonly run_key: number;
  readonly at: number;
  readonly type: RunEvent['type'];
  readonly data: string;
}

/** A run, and the epoch under which an operation may change it. */
type Permit = Pick<EventBatch, 'runKey' | 'epoch'>;

/** Operations that change runs of an expected epoch only. */
const conditional: ReadonlySet<RunOperation> = new Set(['append', 'takeOver', 'retry', 'return', 'discard']);

/** Operations that raise the epoch of a run, always by one. */
const raising: ReadonlySet<RunOperation> = new Set(['claim', 'takeOver', 'retry', 'return', 'discard']);

/** Operations that end a run, and those that make it active; by status before. */
const allowedChanges: Readonly<Record<string, readonly RunOperation[]>> = {
  'queued>running': ['append'],
  'not_started>running': ['append'],
  'queued>ended': ['append', 'discard', 'stop'],
  'not_started>ended': ['append'],
  'running>ended': ['append'],
  'ended>not_started': ['retry'],
};

const toPhase = (status: RunStatus): string => (isFinal(status) ? 'ended' : status);

const runsSql = /* sql */ `
  SELECT run.key, run.dag, run.run_id, run.status, run.epoch, run.owner_key, run.queue, queue_item.claimed_at
  FROM run LEFT JOIN queue_item ON queue_item.run_key = run.key ORDER BY run.key`;
const eventsSql = 'SELECT id, run_key, at, type, data FROM event WHERE id > ? ORDER BY id';
const eventCountSql = 'SELECT count(*) AS count FROM event';

/** Checks the database after every operation, with its own model of what may happen to runs. */
export class RunOracle {
  readonly #database: Database;
  #runs = new Map<number, SeenRun>();
  #lastEventId: number;
  #eventCount = 0;
  readonly #events = new Set<string>();
  /** Attempts that have started, or ended. */
  readonly #attempts = new Set<string>();
  readonly #endedSteps = new Set<string>();
  readonly #executed = new Set<string>();
  readonly #acknowledged = new Set<string>();

  private constructor(database: Database, lastEventId: number) {
    this.#database = database;
    this.#lastEventId = lastEventId;
  }

  /** @param database without runs */
  static async open(database: Database): Promise<RunOracle> {
    const read = () => database.get<{ id: number | null }>('SELECT max(id) AS id FROM event');
    return new RunOracle(database, (await database.perform(read))?.id ?? 0);
  }

  /** The runs after the last operation. */
  get runs(): readonly SeenRun[] {
    return [...this.#runs.values()];
  }

  find(key: number): SeenRun | undefined {
    return this.#runs.get(key);
  }

  /** Performs an operation on the store, and checks its effect. */
  async watch<Value>(
    operation: RunOperation,
    act: () => Value | Promise<Value>,
    permits: readonly Permit[] = [],
  ): Promise<Value> {
    const value = await act();
    await this.#compare(operation, permits);
    return value;
  }

  /** Checks the answers to batches, before a host receives them. */
  checkOutcomes(
    batches: readonly EventBatch[],
    outcomes: readonly BatchOutcome[],
    before: ReadonlyMap<number, number | undefined>,
  ): void {
    for (const [index, { runKey, epoch, events }] of batches.entries()) {
      const { outcome } = outcomes[index]!;
      const isOwner = before.get(runKey) === epoch;
      if (outcome === 'illegal') throw new Error(`run ${runKey}: ${JSON.stringify(outcomes[index])}`);
      if (outcome === 'stale') {
        if (isOwner) throw new Error(`the owner of run ${runKey} was rejected as stale`);
        continue;
      }
      const isOver = events.some(({ event }) => event.type === 'run.finished');
      if (!isOwner && !isOver)
        throw new Error(
          `epoch ${epoch} of run ${runKey} may go on, but ${before.get(runKey)} is the owner's`,
        );
      for (const { at, event } of events)
        if (!this.#events.has(toText(runKey, at, event.type, withoutType(event))))
          throw new Error(`run ${runKey}: ${JSON.stringify(event)} was acknowledged and is not stored`);
    }
  }

  /** A host has the answer that a run was created. */
  acknowledge(run: string): void {
    this.#acknowledged.add(run);
  }

  /** A host executes an attempt whose start was acknowledged. */
  execute(attempt: string): void {
    if (this.#executed.has(attempt)) throw new Error(`attempt ${attempt} was executed twice`);
    this.#executed.add(attempt);
  }

  /** How many runs of a workflow count against its limit. */
  countActive(dag: string): number {
    return this.runs.filter((run) => run.dag === dag && !isFinal(run.status)).length;
  }

  /** At the end of a world. */
  async checkEnd(): Promise<void> {
    const known = new Set(this.runs.map(({ dag, run_id: id }) => `${dag}/${id}`));
    const lost = [...this.#acknowledged].filter((run) => !known.has(run));
    if (lost.length > 0) throw new Error(`lost runs: ${lost.join(', ')}`);
    const startedSql = "SELECT 1 FROM schedule_slot WHERE outcome = 'started'";
    const slots = await this.#database.perform(() => this.#database.all(startedSql).length);
    const scheduled = this.runs.filter(({ dag }) => dag === 'scheduled').length;
    if (slots !== scheduled) throw new Error(`${scheduled} runs of ${slots} scheduled times`);
  }

  async #compare(operation: RunOperation, permits: readonly Permit[]): Promise<void> {
    const database = this.#database;
    const { rows, events, count } = await database.perform(() =>
      database.read(() => ({
        rows: database.all<SeenRun>(runsSql),
        events: database.all<SeenEvent>(eventsSql, this.#lastEventId),
        count: database.get<{ count: number }>(eventCountSql)!.count,
      })),
    );
    const after = new Map(rows.map((row) => [row.key, row]));
    for (const key of this.#runs.keys())
      if (!after.has(key)) throw new Error(`${operation} removed run ${key}`);
    for (const run of rows) this.#judge(operation, this.#runs.get(run.key), run);
    this.#readEvents(operation, permits, events, count);
    if (new Set(rows.map(({ dag, run_id: id }) => `${dag}/${id}`)).size < rows.length)
      throw new Error(`${operation}: a run id exists twice`);
    this.#runs = after;
    this.#checkLimits(operation);
  }

  #judge(operation: RunOperation, before: SeenRun | undefined, after: SeenRun): void {
    const say = (what: string): Error =>
      new Error(`${operation} ${what}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`);
    if (before === undefined) {
      const isQueued = after.status === 'queued' && after.owner_key === null && after.epoch === 0;
      const isOwned = after.status === 'not_started' && after.owner_key !== null && after.epoch === 1;
      if (operation !== 'create' || !(isQueued || isOwned)) throw say('made a run');
      return;
    }
    const raised = after.epoch - before.epoch;
    if (raised !== 0 && !(raised === 1 && raising.has(operation))) throw say('changed the epoch');
    const hasEnded = !isFinal(before.status) && isFinal(after.status);
    const isReleased = hasEnded && after.owner_key === null;
    if (after.owner_key !== before.owner_key && raised === 0 && !isReleased) throw say('changed the owner');
    if (before.status === after.status) return;
    const change = `${toPhase(before.status)}>${toPhase(after.status)}`;
    if (!allowedChanges[change]?.includes(operation)) throw say('may not do this');
  }

  #readEvents(
    operation: RunOperation,
    permits: readonly Permit[],
    events: readonly SeenEvent[],
    count: number,
  ): void {
    this.#eventCount += events.length;
    if (count !== this.#eventCount)
      throw new Error(`${operation}: ${count} events, but readers have seen ${this.#eventCount}`);
    for (const event of events) this.#readEvent(operation, event, permits);
  }

  #readEvent(operation: RunOperation, event: SeenEvent, permits: readonly Permit[]): void {
    const { id, run_key: key, at, type, data } = event;
    const say = (what: string): Error => new Error(`${operation}: ${what}: ${JSON.stringify(event)}`);
    if (id <= this.#lastEventId) throw say('an id that does not rise');
    this.#lastEventId = id;
    const text = toText(key, at, type, data);
    if (this.#events.has(text)) throw say('an event is stored twice');
    this.#events.add(text);
    const epoch = this.#runs.get(key)?.epoch;
    const isPermitted = permits.some((permit) => permit.runKey === key && permit.epoch === epoch);
    if (conditional.has(operation) && !isPermitted) throw say(`the run was at epoch ${epoch}`);
    this.#readStep(key, type, JSON.parse(data) as StepData, say);
  }

  #readStep(key: number, type: RunEvent['type'], data: StepData, say: (what: string) => Error): void {
    if (type === 'run.retried') for (const step of data.steps!) this.#endedSteps.delete(`${key}/${step}`);
    if (data.node === undefined || data.attempt === undefined) return;
    const step = `${key}/${data.node.name}`;
    const isStart = type === 'step.started';
    const attempt = `${step}/${data.attempt} ${isStart ? 'started' : 'ended'}`;
    if (this.#attempts.has(attempt)) throw say('an attempt started or ended twice');
    this.#attempts.add(attempt);
    if (this.#endedSteps.has(step)) throw say('a step continues after its end');
    if (type === 'step.finished') this.#endedSteps.add(step);
  }

  #checkLimits(operation: RunOperation): void {
    for (const [dag, limit] of Object.entries(workflowLimits)) {
      const active = this.countActive(dag);
      if (active > limit) throw new Error(`${operation}: ${active} runs of ${dag} are active`);
    }
    for (const [queue, limit] of Object.entries(queueLimits)) {
      const active = this.runs.filter(
        (run) =>
          run.queue === queue &&
          (run.status === 'not_started' || run.status === 'running' || run.claimed_at !== null),
      );
      if (active.length > limit)
        throw new Error(`${operation}: ${active.length} runs of ${queue} are active`);
    }
  }
}

interface StepData {
  readonly node?: { readonly name: string };
  readonly attempt?: number;
  readonly steps?: readonly string[];
}

const toText = (key: number, at: number, type: string, data: string): string =>
  `${key} ${at} ${type} ${data}`;

function withoutType(event: RunEvent): string {
  const { type: _type, ...data } = event;
  return JSON.stringify(data);
}
