import { AppError } from '../../core/base/errors.ts';
import { timings } from '../../core/base/timings.ts';
import type { RunEvent } from '../../core/model/run-event.ts';
import {
  type HostRecord,
  isFinal,
  type RunDetail,
  type RunOwner,
  type RunRecord,
  type RunRef,
} from '../../core/model/run.ts';
import { HostMonitor } from '../../core/run/hosts.ts';
import type { Store } from '../../core/store/open-store.ts';
import type { BatchOutcome, EventBatch, NewRun } from '../../core/store/types/runs.ts';
import type { Random } from '../faults/rig/kill.ts';
import type { FakeClock } from '../harness/fakes.ts';
import { type RunOracle, queueLimits, workflowLimits } from './run-oracle.ts';
import { type Actor, ask, type Call, NoResponse, occurs, rest, type Scheduler } from './scheduler.ts';

/** Several hosts over one database. */
export interface RunWorld {
  readonly random: Random;
  readonly clock: FakeClock;
  readonly scheduler: Scheduler;
  readonly oracle: RunOracle;
  /** Connects a process of a machine to the database. */
  connect(machine: number): Store;
  /** Faults, starts and interventions have stopped: everything open must end by itself. */
  isCalm: boolean;
  /** How many runs may still be started. */
  startsLeft: number;
  /** Runs that hosts have tried to start. */
  readonly runs: RunRef[];
  /** Counts what has happened, to prove that it does. */
  readonly counts: Map<string, number>;
  /** Numbers processes, runs and events. */
  next(): number;
}

export function count({ counts }: RunWorld, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** A run as its host drives it; lost with the process. */
interface Drive {
  readonly key: number;
  readonly epoch: number;
  readonly run: RunRef;
  /** Steps by name: its newest attempt, and whether that is open, or the step has ended. */
  readonly steps: Map<string, { attempt: number; state: 'waiting' | 'open' | 'ended' }>;
  hasStarted: boolean;
  isStopping: boolean;
  /** Events to write, and how many of them may be written already. */
  pending: { at: number; event: RunEvent }[];
  inDoubt: number;
}

const stepNames = ['a', 'b', 'c'];
const stepsOf = ({ dagRunId }: RunRef): string[] => stepNames.slice(0, 1 + (dagRunId.length % 3));

interface Host {
  readonly world: RunWorld;
  readonly owner: RunOwner;
  readonly store: Store;
  readonly monitor: HostMonitor;
  readonly drives: Map<number, Drive>;
  /** Claims that have not led to an active run: since when this process sees them. */
  claims: Map<string, number>;
  /** Own runs that this process does not drive: since when. */
  stalled: Map<string, number>;
  /** A start without an answer, which is repeated. */
  unsure: NewRun | undefined;
  service: number | undefined;
  beatAt: number;
  claimsAt: number;
  recoverAt: number;
}

/** A process of a host. */
export function* runRunHost(world: RunWorld, machine: number): Actor {
  const name = `m${machine}-${world.next()}`;
  const owner: RunOwner = { id: name, host: name, pid: 1, pidStart: '1', bootId: 'boot', kind: 'server' };
  const host: Host = {
    ...{ world, owner, store: world.connect(machine), monitor: new HostMonitor(owner, world.clock) },
    ...{ drives: new Map(), claims: new Map(), stalled: new Map(), unsure: undefined, service: undefined },
    ...{ beatAt: 0, claimsAt: 0, recoverAt: 0 },
  };
  for (;;) {
    try {
      yield* act(host);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      count(world, 'unanswered');
    }
  }
}

function* act(host: Host): Actor {
  const { world } = host;
  const { clock, random, isCalm } = world;
  const now = clock.monotonic();
  const isDue = (at: number, periodMs: number): boolean => now - at >= periodMs && occurs(random, 0.7);
  if (isDue(host.beatAt, timings.hostBeat)) {
    host.beatAt = now;
    yield* change(host, 'other', () => host.store.beat(host.owner, clock.now()));
    return;
  }
  if (isDue(host.claimsAt, 1000)) {
    host.claimsAt = now;
    return yield* watchClaims(host);
  }
  if (isDue(host.recoverAt, timings.hostLease / 2)) {
    host.recoverAt = now;
    return yield* recover(host);
  }
  const choice = random.between(1, 20);
  if (choice <= 2) yield* claim(host);
  else if (choice === 3) yield* holdService(host);
  else if (choice <= 8 && !isCalm) yield* start(host);
  else if (choice <= 11 && !isCalm) yield* interfere(host);
  else if (host.drives.size > 0) yield* advance(host);
  else yield* rest();
}

/** Sends a change; an error that callers expect is its result. */
function* change<Value>(
  { world }: Host,
  operation: Parameters<RunOracle['watch']>[0],
  operate: () => Value | Promise<Value>,
  permits: Parameters<RunOracle['watch']>[2] = [],
): Generator<Call, Value | AppError, unknown> {
  return yield* ask(() =>
    world.oracle.watch(
      operation,
      async () => {
        try {
          return await operate();
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          count(world, error.code);
          return error;
        }
      },
      permits,
    ),
  );
}

const queues = Object.keys(queueLimits);
const kinds = ['free', 'limited', 'limited', 'single', 'scheduled', ...queues];

function describeStart({ world, owner }: Host): NewRun {
  const { random, clock } = world;
  const name = random.pick(kinds);
  const known = world.runs.filter((run) => run.name === name);
  // Several hosts may be asked for the same run.
  const isRepeated = known.length > 0 && occurs(random, 0.15);
  const dagRunId = isRepeated
    ? random.pick(known).dagRunId
    : `r${'x'.repeat(world.runs.length % 3)}${world.next()}`;
  const limit = queueLimits[name];
  const slot = Math.floor(clock.now() / 3000) * 3000;
  return {
    ...{ name, dagRunId, spec: { text: 'steps: []\n', document: 0 }, trigger: 'api', params: [] },
    maxActiveRuns: name === 'limited' ? workflowLimits['limited']! : -1,
    ...(name === 'single' && { singleton: true }),
    ...(name === 'scheduled' && { fireTime: { dag: name, kind: 'start', at: slot } }),
    ...(limit === undefined
      ? { owner }
      : { queue: name, waiting: { priority: random.between(0, 1), maxActiveRuns: 1 } }),
  };
}

function* start(host: Host): Actor {
  const { world, store } = host;
  if (host.unsure === undefined && world.startsLeft <= 0) return yield* rest();
  if (host.unsure === undefined) world.startsLeft -= 1;
  const run = host.unsure ?? describeStart(host);
  host.unsure = run;
  world.runs.push(run);
  const isTogether = occurs(world.random, 0.5);
  const record = yield* change(host, 'create', async () => {
    const active = world.oracle.countActive(run.name);
    const at = world.clock.now();
    const created = isTogether
      ? (await store.createRuns([{ ...run, at }]))[0]!
      : await store.createRun(run, at);
    if (created instanceof AppError) assertRejected(run, created, active);
    return created;
  });
  host.unsure = undefined;
  if (record instanceof AppError) return;
  world.oracle.acknowledge(`${run.name}/${run.dagRunId}`);
  count(world, 'created');
  if (run.waiting === undefined) drive(host, record, record.epoch);
}

function assertRejected({ name }: NewRun, { code }: AppError, active: number): void {
  const limit = workflowLimits[name] ?? Infinity;
  if ((code === 'max_run_reached' || code === 'still_running') && active < limit)
    throw new Error(`a run of ${name} was rejected (${code}) with ${active} active`);
}

/** @param detail of a run that has been driven before */
function drive(
  { drives }: Host,
  { key, name, dagRunId }: RunRef & { readonly key: number },
  epoch: number,
  detail?: RunDetail,
): void {
  const run = { name, dagRunId };
  const steps: Drive['steps'] = new Map(stepsOf(run).map((step) => [step, { attempt: 0, state: 'waiting' }]));
  for (const { node, attempts, status } of detail?.steps ?? []) {
    const last = attempts.at(-1);
    const isOpen = last !== undefined && last.finishedAt === undefined;
    const state = isOpen ? 'open' : status === 'succeeded' || status === 'aborted' ? 'ended' : 'waiting';
    steps.set(node.name, { attempt: last?.attempt ?? 0, state });
  }
  drives.set(key, {
    ...{ key, epoch, run, steps, hasStarted: false, isStopping: false, pending: [], inDoubt: 0 },
  });
}

function* claim(host: Host): Actor {
  const { world, store, owner } = host;
  const queue = world.random.pick(queues);
  const limit = queue === 'wide' ? { limit: queueLimits[queue]! } : {};
  const claims = yield* change(host, 'claim', () =>
    store.queues.claimNext({ queue, max: 2, owner, ...limit }, world.clock.now()),
  );
  if (claims instanceof AppError) throw claims;
  for (const { runKey, name, dagRunId, epoch } of claims) {
    host.claims.set(`${runKey}@${epoch}`, world.clock.monotonic());
    drive(host, { key: runKey, name, dagRunId }, epoch);
    count(world, 'claimed');
  }
}

/** As ClaimWatch does it. */
function* watchClaims(host: Host): Actor {
  const { world, store, monitor, owner, drives } = host;
  const open = yield* ask(async () => store.queues.listOpenClaims());
  const now = world.clock.monotonic();
  host.claims = new Map(
    open.map(({ runKey, epoch }) => [`${runKey}@${epoch}`, host.claims.get(`${runKey}@${epoch}`) ?? now]),
  );
  for (const item of open) {
    const { runKey, epoch } = item;
    const isOurs = item.host.owner.id === owner.id;
    const isUnknown = isOurs && drives.get(runKey)?.epoch !== epoch;
    const expiry = isOurs ? undefined : monitor.findExpiry(item.host);
    const age = now - host.claims.get(`${runKey}@${epoch}`)!;
    const at = world.clock.now();
    if (isUnknown || expiry !== undefined)
      yield* change(host, 'return', () => store.queues.returnClaim(item, expiry ?? 'not received', at), [
        item,
      ]);
    else if (age > timings.queueActivation + (isOurs ? 0 : 2000))
      yield* change(host, 'discard', () => store.queues.discardClaim(item, 'too late', at), [item]);
  }
}

/** As RunRecovery does it. */
function* recover(host: Host): Actor {
  const { world, store, monitor, owner, drives } = host;
  const hosts = yield* ask(() => store.listDrivingHosts());
  monitor.keepOnly(hosts);
  const isOwn = (each: HostRecord): boolean => each.owner.id === owner.id;
  const judged = hosts.filter((each) => isOwn(each) || monitor.findExpiry(each) !== undefined);
  const now = world.clock.monotonic();
  const found: { readonly run: RunRecord; readonly isOurs: boolean }[] = [];
  for (const each of judged) {
    const runs = yield* ask(() => store.listOrphanedRuns(each.key));
    found.push(...runs.map((run) => ({ run, isOurs: isOwn(each) })));
  }
  const idle = found.filter(({ run, isOurs }) => isOurs && drives.get(run.key)?.epoch !== run.epoch);
  const known = host.stalled;
  host.stalled = new Map(
    idle.map(({ run }) => [`${run.key}@${run.epoch}`, known.get(`${run.key}@${run.epoch}`) ?? now]),
  );
  const isDue = (key: string): boolean => now - (host.stalled.get(key) ?? now) > timings.hostLease;
  for (const { run, isOurs } of found)
    if (!isOurs || isDue(`${run.key}@${run.epoch}`)) yield* takeOver(host, run);
}

function* takeOver(host: Host, run: { readonly key: number; readonly epoch: number }): Actor {
  const { world, store, owner } = host;
  const options = {
    runKey: run.key,
    epoch: run.epoch,
    owner,
    by: owner.host,
    from: 'another',
    reason: 'lost',
  };
  const record = yield* change(host, 'takeOver', () => store.claimOrphanedRun(options, world.clock.now()), [
    options,
  ]);
  if (record instanceof AppError) return;
  count(world, 'taken over');
  const detail = yield* ask(async () => store.getDetail(record));
  drive(host, record, record.epoch, detail);
}

/** Writes the next events of one or all runs, in one commit. */
function* advance(host: Host): Actor {
  const { world, drives, store } = host;
  const chosen = occurs(world.random, 0.3) ? [...drives.values()] : [world.random.pick([...drives.values()])];
  const writing = chosen.filter((each) => addEvents(host, each));
  if (writing.length === 0) return yield* rest();
  const batches = writing.map(({ key, epoch, pending, inDoubt }): EventBatch => ({
    ...{ runKey: key, epoch, events: [...pending] },
    ...(inDoubt > 0 && { inDoubt }),
  }));
  let outcomes: readonly BatchOutcome[];
  try {
    outcomes = yield* ask(async () => {
      const { oracle } = world;
      const before = new Map(batches.map(({ runKey }) => [runKey, oracle.find(runKey)?.epoch]));
      const answer = await oracle.watch(
        'append',
        async () => (await store.append(batches)).outcomes,
        batches,
      );
      oracle.checkOutcomes(batches, answer, before);
      return answer;
    });
  } catch (error) {
    for (const each of writing) each.inDoubt = each.pending.length;
    throw error;
  }
  for (const [index, each] of writing.entries()) settle(host, each, outcomes[index]!.outcome);
}

/** Continues after an answer: what has started is executed, what has ended or was lost is forgotten. */
function settle({ world, drives }: Host, each: Drive, outcome: BatchOutcome['outcome']): void {
  const written = each.pending;
  each.pending = [];
  each.inDoubt = 0;
  count(world, outcome);
  if (outcome !== 'written') return void drives.delete(each.key);
  for (const { event } of written) {
    if (event.type === 'step.started')
      world.oracle.execute(`${each.key}/${event.node.name}/${event.attempt}`);
    if (event.type === 'run.finished') drives.delete(each.key);
  }
}

/** Adds what happens next. While events wait for their commit, little else does. */
function addEvents({ world }: Host, each: Drive): boolean {
  const { random } = world;
  if (each.pending.length > 0) {
    const isOver = each.pending.some(({ event }) => event.type === 'run.finished');
    if (!isOver && occurs(random, 0.3))
      add(world, each, { type: 'run.message', level: 'info', message: `${world.next()}` });
    return true;
  }
  for (let left = random.between(1, 3); left > 0; left -= 1) addEvent(world, each);
  return each.pending.length > 0;
}

const add = ({ clock }: RunWorld, { pending }: Drive, event: RunEvent): void =>
  void pending.push({ at: clock.now(), event });

function addEvent(world: RunWorld, each: Drive): void {
  const { random } = world;
  const mark = `${world.next()}`;
  if (!each.hasStarted) {
    each.hasStarted = true;
    return add(world, each, { type: 'run.started', logDir: mark });
  }
  if (each.pending.some(({ event }) => event.type === 'step.started' || event.type === 'run.finished'))
    return;
  const steps = [...each.steps];
  const open = steps.find(([, { state }]) => state === 'open');
  const waiting = steps.find(([, { state }]) => state === 'waiting');
  if (open !== undefined) return endAttempt(world, each, open, mark);
  if (waiting === undefined || each.isStopping) {
    const status = each.isStopping ? 'aborted' : occurs(random, 0.2) ? 'failed' : 'succeeded';
    return add(world, each, { type: 'run.finished', status, outputs: { mark } });
  }
  const [name, step] = waiting;
  step.attempt += 1;
  step.state = 'open';
  const node = { section: 'step', name } as const;
  add(world, each, { type: 'step.started', node, attempt: step.attempt, dir: mark });
}

function endAttempt(
  world: RunWorld,
  each: Drive,
  [name, step]: readonly [string, { attempt: number; state: string }],
  mark: string,
): void {
  const node = { section: 'step', name } as const;
  const { attempt } = step;
  if (!each.isStopping && !world.isCalm && occurs(world.random, 0.2)) {
    step.state = 'waiting';
    return add(world, each, { type: 'step.retry_scheduled', node, attempt, dueAt: 0, error: mark });
  }
  step.state = 'ended';
  const status = each.isStopping ? 'aborted' : 'succeeded';
  add(world, each, { type: 'step.finished', node, attempt, status, output: { name: 'mark', value: mark } });
}

/** A user stops, retries or reorders something, or a host looks for such a request. */
function* interfere(host: Host): Actor {
  const { world, store, drives } = host;
  const { random, clock } = world;
  if (world.runs.length === 0) return yield* rest();
  const { name, dagRunId } = random.pick(world.runs);
  const run = { name, dagRunId };
  const choice = random.between(1, 9);
  if (choice <= 3 && drives.size > 0) {
    const each = random.pick([...drives.values()]);
    const record = yield* ask(async () => store.findRun(each.run));
    each.isStopping ||= record?.stopRequestedBy !== undefined;
  } else if (choice <= 6) yield* retry(host);
  else if (choice === 7) yield* change(host, 'stop', () => store.requestStop(run, 'user', clock.now()));
  else if (choice === 8) yield* change(host, 'stop', () => store.queues.dequeue(run, 'user', clock.now()));
  else {
    const queue = random.pick(queues);
    const state = random.pick(['open', 'open', 'paused', 'draining'] as const);
    // It may be delivered much later, and the queue would stay closed.
    yield* change(host, 'other', () =>
      store.queues.setQueueState(queue, world.isCalm ? 'open' : state, 'user', clock.now()),
    );
  }
}

/** Runs of queues are not retried: a retry takes no place in its queue. */
function* retry(host: Host): Actor {
  const { world, store, owner } = host;
  const ended = world.oracle.runs.filter(
    ({ dag, status }) => isFinal(status) && (dag === 'free' || dag === 'limited'),
  );
  if (ended.length === 0) return yield* rest();
  const { dag: name, run_id: dagRunId } = world.random.pick(ended);
  const run = { name, dagRunId };
  const found = yield* ask(async () => store.findRun(run));
  if (found === undefined || !isFinal(found.status)) return;
  const options = {
    ...{ runKey: found.key, epoch: found.epoch, owner, by: 'user', steps: stepsOf(run) },
    maxActiveRuns: workflowLimits[run.name] ?? -1,
  };
  const record = yield* change(host, 'retry', () => store.reopenRun(options, world.clock.now()), [options]);
  if (record instanceof AppError) return;
  count(world, 'retried');
  const detail = yield* ask(async () => store.getDetail(record));
  drive(host, record, record.epoch, detail);
}

const serviceName = 'scheduler';

/** Acquires or renews an exclusive service. */
function* holdService(host: Host): Actor {
  const { world, store, owner } = host;
  const at = world.clock.now();
  const untilAt = at + timings.serviceLease;
  const { service } = host;
  if (service !== undefined) {
    const isHeld = yield* ask(async () => {
      const isRenewed = await store.renewService(serviceName, service, untilAt);
      if (isRenewed && (await store.findService(serviceName)).epoch !== service)
        throw new Error(`epoch ${service} of the service was renewed after its end`);
      return isRenewed;
    });
    if (!isHeld) host.service = undefined;
    return;
  }
  const { epoch, untilAt: heldUntil } = yield* ask(() => store.findService(serviceName));
  if (heldUntil > at) return;
  const next = yield* ask(async () => {
    const { epoch: before } = await store.findService(serviceName);
    const claimed = await store.claimService(serviceName, epoch, owner, { at, untilAt });
    if (claimed !== undefined && (before !== epoch || claimed !== epoch + 1))
      throw new Error(`the service was claimed with ${claimed} after ${before}, expected ${epoch}`);
    return claimed;
  });
  if (next === undefined) return;
  host.service = next;
  count(world, 'service');
}
