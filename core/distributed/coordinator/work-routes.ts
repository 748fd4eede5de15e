import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type {
  Heartbeat,
  HeartbeatReply,
  DispatchStore,
  TaskResult,
  CompletionOutcome,
  TaskLease,
  WorkerRef,
} from '../../store/types/dispatch.ts';
import { checkArtifactName } from '../../model/run.ts';
import type { LogStream, TaskFiles } from '../../run/remote/task-files.ts';
import {
  epochHeader,
  protocolRoot,
  protocolVersion,
  workerHeader,
  type BeginResponse,
  type ClaimResponse,
  type JoinResponse,
  type CompleteResponse,
  type SizeResponse,
} from '../protocol.ts';
import { findRunFolder } from '../files/run-folders.ts';
import { type ClaimService, overloadedError } from './claim-service.ts';
import type { Identity } from './identity.ts';
import {
  readHeartbeat,
  readClaim,
  readActiveTasksMessage,
  readJoin,
  readComplete,
  readInteger,
  readWorkerId,
} from './read-messages.ts';

/** Number of heartbeats per lease. */
const beatsPerLease = 6;
/** Maximum batch size and queue length of heartbeats or results, and the batching delay. */
const batchLimits = { max: 500, waiting: 20_000, delayMs: 3 };

/** Adds the routes for workers: join, claim, begin, beat, settle, leave. */
export function addWorkRoutes(
  app: FastifyInstance,
  store: DispatchStore,
  claimService: ClaimService,
  identity: Identity,
  clock: Clock,
): void {
  const heartbeats = new Batcher<Heartbeat, HeartbeatReply>((all) => store.beat(all), {
    limits: batchLimits,
    clock,
  });
  const taskResults = new Batcher<TaskResult, CompletionOutcome>((all) => store.settle(all), {
    limits: batchLimits,
    clock,
  });
  const draining = new Set<string>();
  const worker = (request: FastifyRequest): Promise<WorkerRef> => readWorker(request, identity);

  app.post(`${protocolRoot}/join`, (request) => join(request, store, identity));
  app.post(`${protocolRoot}/claim`, async (request, reply) => {
    const { free, waitMs } = readClaim(request.body);
    const { id, epoch } = await worker(request);
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    const outcome = await claimService.wait({ id, epoch, free, waitMs }, disconnected.signal);
    releaseUnlessSent(reply, claimService, outcome.tasks);
    return { ...outcome, isDraining: draining.has(id) } satisfies ClaimResponse;
  });
  app.post(`${protocolRoot}/begin`, async (request) => {
    const { holds: leases } = readActiveTasksMessage(request.body);
    return { own: await store.begin(await worker(request), leases) } satisfies BeginResponse;
  });
  app.post(`${protocolRoot}/beat`, async (request) => {
    const message = readHeartbeat(request.body);
    const { id, epoch } = await worker(request);
    const heartbeatReply = await heartbeats.add({ id, epoch, ...message });
    if (heartbeatReply.isDraining) draining.add(id);
    else draining.delete(id);
    return heartbeatReply;
  });
  app.post(`${protocolRoot}/settle`, async (request) => {
    const { results } = readComplete(request.body);
    const { id, epoch } = await worker(request);
    const outcomes = await Promise.all(results.map((result) => taskResults.add({ id, epoch, ...result })));
    return { outcomes } satisfies CompleteResponse;
  });
  app.post(`${protocolRoot}/leave`, async (request, reply) => {
    const ref = await worker(request);
    await store.leave(ref);
    draining.delete(ref.id);
    return reply.code(204).send();
  });
}

async function join(
  request: FastifyRequest,
  store: DispatchStore,
  identity: Identity,
): Promise<JoinResponse> {
  const registration = readJoin(request.body);
  const { id, labels: tokenLabels, key, credential } = await identity.join(request, registration.id);
  const labels = { ...registration.labels, ...tokenLabels };
  const { slots, version, host, pid, keeps } = registration;
  const lease = await store.register({ id, labels, slots, version, host, pid, keeps, credential });
  return {
    protocol: protocolVersion,
    id,
    epoch: lease.epoch,
    leaseMs: lease.leaseMs,
    beatMs: Math.floor(lease.leaseMs / beatsPerLease),
    lost: lease.lost,
    labels,
    ...(key === undefined ? {} : { key }),
  };
}

/** Returns the worker that sent a request, with its epoch. */
async function readWorker(request: FastifyRequest, identity: Identity): Promise<WorkerRef> {
  const { [workerHeader]: header, [epochHeader]: epochText } = request.headers;
  const workerId = header === undefined ? undefined : readWorkerId(header, 'The header X-Worker-Id');
  const id = await identity.authenticate(request, workerId);
  if (epochText === undefined)
    throw new AppError('bad_request', 'Missing header X-Worker-Epoch (returned when the worker joined).');
  return { id, epoch: readInteger(epochText, 'The header X-Worker-Epoch') };
}

/** Returns tasks immediately if the response does not reach the worker, instead of after the timeout. */
function releaseUnlessSent({ raw }: FastifyReply, service: ClaimService, leases: readonly TaskLease[]): void {
  if (leases.length === 0) return;
  const release = (): void => void service.release(leases.map(({ key, fence }) => ({ key, fence })));
  if (raw.destroyed || raw.closed) return release();
  raw.once('close', () => {
    if (!raw.writableFinished) release();
  });
}

interface Entry<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** Limits for batches. */
export interface BatchLimits {
  /** Maximum number of items per call. */
  readonly max: number;
  /** Maximum number of queued items; further ones are rejected with `unavailable`. */
  readonly waiting: number;
  /** Time that the first item waits for others, in milliseconds. */
  readonly delayMs: number;
}

/**
 * Batches items that arrive within a few milliseconds or during a call. There is never more than one call at a time.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #limits: BatchLimits;
  readonly #clock: Clock;
  #waiting: Entry<Item, Result>[] = [];
  #isBusy = false;

  /** @param run returns results in the order of the items */
  constructor(
    run: (items: readonly Item[]) => Promise<readonly Result[]>,
    { limits, clock }: { readonly limits: BatchLimits; readonly clock: Clock },
  ) {
    this.#run = run;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Adds an item. Rejects with the error of the call, or `unavailable` if the queue is full. */
  async add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#limits.waiting) throw overloadedError();
    const result = new Promise<Result>((resolve, reject) => this.#waiting.push({ item, resolve, reject }));
    if (!this.#isBusy) {
      this.#isBusy = true;
      this.#clock.after(this.#limits.delayMs, () => void this.#work());
    }
    return await result;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.slice(0, this.#limits.max);
      this.#waiting = this.#waiting.slice(entries.length);
      await this.#settle(entries);
    }
    this.#isBusy = false;
  }

  async #settle(entries: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(entries.map(({ item }) => item));
      for (const [index, entry] of entries.entries()) entry.resolve(results[index]!);
    } catch (error) {
      for (const entry of entries) entry.reject(error);
    }
  }
}

interface TaskParams {
  readonly key: string;
  readonly fence: string;
}

const task = `${protocolRoot}/tasks/:key/:fence`;

/**
 * Adds the routes for logs and artifacts. Only the worker that holds a task can access its files; requests contain no
 * paths.
 */
export function addFileRoutes(
  app: FastifyInstance,
  store: DispatchStore,
  files: TaskFiles,
  identity: Identity,
): void {
  const find: FindTask = (request) => findHeld(request, store, identity);
  void app.register(async (logs) => addLogRoute(logs, files, find));
  void app.register(async (artifacts) => addArtifactRoutes(artifacts, files, find));
}

/** Returns the folders of the task that a request is about. */
type FindTask = (request: FastifyRequest<{ Params: TaskParams }>) => ReturnType<typeof findHeld>;

function addLogRoute(app: FastifyInstance, files: TaskFiles, find: FindTask): void {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.put<{ Params: TaskParams & { stream: string }; Querystring: { offset?: unknown } }>(
    `${task}/logs/:stream`,
    async (request, reply) => {
      const stream = readStream(request.params.stream);
      const offset = readInteger(request.query.offset, '"offset" in the URL');
      const { attemptDir } = await find(request);
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { size } = await files.appendLog(attemptDir, stream, offset, bytes);
      return offset > size ? sendGap(reply, { size }, offset) : ({ size } satisfies SizeResponse);
    },
  );
}

function addArtifactRoutes(app: FastifyInstance, files: TaskFiles, find: FindTask): void {
  // Streamed, because an artifact may be larger than memory.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.put<{ Params: TaskParams & { '*': string } }>(`${task}/artifacts/*`, async (request) => {
    const name = checkArtifactName(request.params['*']);
    const { runDir } = await find(request);
    const content = (request.body ?? request.raw) as Readable;
    return await files.putArtifact(runDir, name, content);
  });
  app.get<{ Params: TaskParams & { '*': string } }>(`${task}/artifacts/*`, async (request, reply) => {
    const name = checkArtifactName(request.params['*']);
    const { runDir } = await find(request);
    const artifact = await files.getArtifact(runDir, name);
    if (artifact === undefined) throw new AppError('not_found', `The run has no artifact "${name}".`);
    return reply
      .type('application/octet-stream')
      .header('content-length', artifact.bytes)
      .send(artifact.content);
  });
}

async function findHeld(
  request: FastifyRequest<{ Params: TaskParams }>,
  store: DispatchStore,
  identity: Identity,
): Promise<{ readonly attemptDir: string; readonly runDir: string }> {
  const { key, fence: text } = request.params;
  const fence = readInteger(text, 'The fence in the URL');
  const held = await store.findHeld(await readWorker(request, identity), { key, fence });
  if (held === undefined)
    throw new AppError('gone', `Task ${key} is no longer assigned to this worker. Stop and discard it.`);
  return { attemptDir: held.attemptDir, runDir: findRunFolder(held.attemptDir, held.run) };
}

function readStream(name: string): LogStream {
  if (name === 'stdout' || name === 'stderr') return name;
  throw new AppError('not_found', `Unknown log ${JSON.stringify(name)}. Use stdout or stderr.`);
}

/** Returns the error with the log size from which the sender must continue. */
function sendGap(reply: FastifyReply, { size }: SizeResponse, offset: number): FastifyReply {
  const message = `The log is ${size} bytes long, so it cannot be continued at ${offset}. Resume at ${size}.`;
  return reply.code(409).send({ code: 'conflict', message, size });
}
