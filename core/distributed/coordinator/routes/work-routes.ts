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
  type BeginResponse,
  type ClaimResponse,
  type JoinResponse,
  type CompleteResponse,
} from '../../protocol.ts';
import { Batcher } from '../claims/batches.ts';
import type { ClaimService } from '../claims/claim-service.ts';
import type { Identity } from '../identity/caller.ts';
import {
  readHeartbeat,
  readClaim,
  readActiveTasksMessage,
  readJoin,
  readComplete,
  readInteger,
  readWorkerId,
} from './read-messages.ts';

export interface WorkDeps {
  readonly store: DispatchStore;
  readonly claimService: ClaimService;
  readonly identity: Identity;
  readonly clock: Clock;
}

/** Number of heartbeats per lease. */
const beatsPerLease = 6;
/** Maximum batch size and queue length of heartbeats or results, and the batching delay. */
const limits = { max: 500, waiting: 20_000, delayMs: 3 };

/** Adds the routes for workers: join, claim, begin, beat, settle, leave. */
export function addWorkRoutes(
  app: FastifyInstance,
  { store, claimService, identity, clock }: WorkDeps,
): void {
  const heartbeats = new Batcher<Heartbeat, HeartbeatReply>((all) => store.beat(all), { limits, clock });
  const taskResults = new Batcher<TaskResult, CompletionOutcome>((all) => store.settle(all), {
    limits,
    clock,
  });
  const draining = new Set<string>();
  const worker = (request: FastifyRequest): Promise<WorkerRef> => readWorker(request, identity);

  app.post(`${protocolRoot}/join`, (request) => join(request, { store, identity }));
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
  { store, identity }: Pick<WorkDeps, 'store' | 'identity'>,
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
export async function readWorker(request: FastifyRequest, identity: Identity): Promise<WorkerRef> {
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
