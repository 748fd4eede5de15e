import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type {
  Heartbeat,
  HeartbeatReply,
  DispatchStore,
  TaskResult,
  CompletionOutcome,
  TaskLease,
  WorkerRef,
} from '../../ports.ts';
import {
  epochHeader,
  protocolRoot,
  protocolVersion,
  workerHeader,
  type BeginAnswer,
  type ClaimAnswer,
  type JoinAnswer,
  type CompleteReply,
} from '../../protocol.ts';
import { Batches } from '../claims/batches.ts';
import type { ClaimService } from '../claims/claim-service.ts';
import type { Identity } from '../identity/caller.ts';
import {
  readHeartbeat,
  readClaim,
  readActiveTasksMessage,
  readJoin,
  readComplete,
  readWholeNumber,
  readWorkerId,
} from './read-messages.ts';

export interface WorkDeps {
  readonly store: DispatchStore;
  readonly desk: ClaimService;
  readonly identity: Identity;
  readonly clock: Clock;
}

/** Number of heartbeats per lease. */
const beatsPerLease = 6;
/** Maximum batch size and queue length of heartbeats or results, and the batching delay. */
const limits = { max: 500, waiting: 20_000, delayMs: 3 };

/** Adds the routes for workers: join, claim, begin, beat, settle, leave. */
export function addWorkRoutes(app: FastifyInstance, { store, desk, identity, clock }: WorkDeps): void {
  const beats = new Batches<Heartbeat, HeartbeatReply>((all) => store.beat(all), { limits, clock });
  const taskResults = new Batches<TaskResult, CompletionOutcome>((all) => store.settle(all), {
    limits,
    clock,
  });
  const draining = new Set<string>();
  const worker = (request: FastifyRequest): Promise<WorkerRef> => readWorker(request, identity);

  app.post(`${protocolRoot}/join`, (request) => join(request, { store, identity }));
  app.post(`${protocolRoot}/claim`, async (request, reply) => {
    const { free, waitMs } = readClaim(request.body);
    const { id, epoch } = await worker(request);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const outcome = await desk.wait({ id, epoch, free, waitMs }, gone.signal);
    releaseUnlessSent(reply, desk, outcome.tasks);
    return { ...outcome, isDraining: draining.has(id) } satisfies ClaimAnswer;
  });
  app.post(`${protocolRoot}/begin`, async (request) => {
    const { holds } = readActiveTasksMessage(request.body);
    return { own: await store.begin(await worker(request), holds) } satisfies BeginAnswer;
  });
  app.post(`${protocolRoot}/beat`, async (request) => {
    const message = readHeartbeat(request.body);
    const { id, epoch } = await worker(request);
    const answer = await beats.add({ id, epoch, ...message });
    if (answer.isDraining) draining.add(id);
    else draining.delete(id);
    return answer;
  });
  app.post(`${protocolRoot}/settle`, async (request) => {
    const { results } = readComplete(request.body);
    const { id, epoch } = await worker(request);
    const outcomes = await Promise.all(results.map((result) => taskResults.add({ id, epoch, ...result })));
    return { outcomes } satisfies CompleteReply;
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
  { store, identity }: Pick<WorkDeps, 'store' | 'identity'>,
): Promise<JoinAnswer> {
  const hello = readJoin(request.body);
  const { id, labels: given, key, credential } = await identity.join(request, hello.id);
  const labels = { ...hello.labels, ...given };
  const { slots, version, host, pid, keeps } = hello;
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
export async function readWorker(request: FastifyRequest, identity: Identity): Promise<WorkerRef> {
  const { [workerHeader]: header, [epochHeader]: epochText } = request.headers;
  const named = header === undefined ? undefined : readWorkerId(header, 'The header X-Worker-Id');
  const id = await identity.recognize(request, named);
  if (epochText === undefined)
    throw new AppError('bad_request', 'Missing header X-Worker-Epoch (returned when the worker joined).');
  return { id, epoch: readWholeNumber(epochText, 'The header X-Worker-Epoch') };
}

/** Returns tasks immediately if the response does not reach the worker, instead of after the timeout. */
function releaseUnlessSent({ raw }: FastifyReply, service: ClaimService, holds: readonly TaskLease[]): void {
  if (holds.length === 0) return;
  const release = (): void => void service.release(holds.map(({ key, fence }) => ({ key, fence })));
  if (raw.destroyed || raw.closed) return release();
  raw.once('close', () => {
    if (!raw.writableFinished) release();
  });
}
