import { createHash, randomBytes } from 'node:crypto';
import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { CoordinatorView, JoinTokenView, WorkerView } from '../../contract/workers.ts';
import type {
  CoordinatorRecord,
  DispatchStats,
  JoinToken,
  WorkerRecord,
} from '../../store/types/dispatch.ts';
import type { EngineContext } from '../engine-context.ts';
import type { HandlersFor } from './handlers.ts';

type WorkerOperation =
  | 'workers.list'
  | 'workers.drain'
  | 'workers.resume'
  | 'workers.remove'
  | 'workers.coordinators'
  | 'workers.listTokens'
  | 'workers.createToken'
  | 'workers.deleteToken';

/** Milliseconds after which a heartbeat is overdue: two are missing. */
const overdueMs = 12_000;
const dayMs = 24 * 60 * 60 * 1000;
/** Number of random bytes in a secret. */
const secretBytes = 32;

/** Operations on workers, coordinators and join tokens. */
export const workerHandlers: HandlersFor<WorkerOperation> = {
  'workers.list': async (_input, { tasks }) => {
    const store = await tasks();
    const [workers, stats, coordinators] = await Promise.all([
      store.listWorkers(),
      store.stats(),
      store.listCoordinators(),
    ]);
    const { ready, claimed, running, staleRefused, now } = stats;
    return {
      workers: workers.map((worker) => toWorkerView(worker, now)),
      tasks: { ready, claimed, running, staleRefused },
      errors: findProblems(workers, coordinators, stats),
    };
  },
  'workers.drain': ({ workerId }, context) => drain(context, workerId, true),
  'workers.resume': ({ workerId }, context) => drain(context, workerId, false),
  'workers.remove': async ({ workerId }, context) => {
    const view = await requireWorker(context, workerId);
    await (await context.tasks()).removeWorker(workerId);
    return view;
  },
  'workers.coordinators': async (_input, { tasks }) => ({
    coordinators: (await (await tasks()).listCoordinators()).map(toCoordinatorView),
  }),
  'workers.listTokens': async (_input, { tasks }) => ({
    tokens: (await (await tasks()).listJoinTokens()).map(toTokenView),
  }),
  'workers.createToken': async ({ note = '', labels = {}, expiresInDays }, context) => {
    const store = await context.tasks();
    const secret = `swj_${randomBytes(secretBytes).toString('base64url')}`;
    const sha256 = createHash('sha256').update(secret).digest('hex');
    const { now } = await store.stats();
    const id = `jt_${randomBytes(6).toString('hex')}`;
    const expiresAt = expiresInDays === undefined ? undefined : now + expiresInDays * dayMs;
    await store.addJoinToken({ id, sha256, note, labels, ...(expiresAt === undefined ? {} : { expiresAt }) });
    return { token: await requireToken(context, id), secret };
  },
  'workers.deleteToken': async ({ tokenId }, context) => {
    const view = await requireToken(context, tokenId);
    await (await context.tasks()).removeJoinToken(tokenId);
    return view;
  },
};

async function drain(context: EngineContext, workerId: string, isDraining: boolean): Promise<WorkerView> {
  await (await context.tasks()).setDraining(workerId, isDraining);
  return requireWorker(context, workerId);
}

/** @throws `not_found` */
async function requireWorker({ tasks }: EngineContext, workerId: string): Promise<WorkerView> {
  const store = await tasks();
  const [workers, { now }] = await Promise.all([store.listWorkers(), store.stats()]);
  const found = workers.find(({ id }) => id === workerId);
  if (found !== undefined) return toWorkerView(found, now);
  throw new AppError('not_found', `Worker "${workerId}" not found. Run "engine workers" to see all workers.`);
}

/** @throws `not_found` */
async function requireToken({ tasks }: EngineContext, tokenId: string): Promise<JoinTokenView> {
  const found = (await (await tasks()).listJoinTokens()).find(({ id }) => id === tokenId);
  if (found !== undefined) return toTokenView(found);
  throw new AppError(
    'not_found',
    `Join token "${tokenId}" not found. Run "engine workers tokens" to see all tokens.`,
  );
}

/** Lists the reasons why workers cannot run tasks. */
function findProblems(
  workers: readonly WorkerRecord[],
  coordinators: readonly CoordinatorRecord[],
  { ready, reapingFrom, now }: DispatchStats,
): string[] {
  const living = workers.filter(({ state }) => state !== 'gone');
  const problems: string[] = [];
  if ((workers.length > 0 || ready > 0) && !coordinators.some(({ isAlive }) => isAlive))
    problems.push(
      'No coordinator is running, so workers receive no steps. Start one with "engine coordinator".',
    );
  if (ready > 0 && living.length === 0)
    problems.push(
      `${ready} ${ready === 1 ? 'step is' : 'steps are'} waiting for a worker, but none is connected. Start one with "engine worker".`,
    );
  if (reapingFrom > now && workers.length > living.length)
    problems.push(
      `The database or its coordinators have just started. Steps of unresponsive workers are not reclaimed before ${toIso(reapingFrom)}.`,
    );
  return problems;
}

function toWorkerView(worker: WorkerRecord, now: number): WorkerView {
  const { id, labels, slots, state, host, pid, version, running, load, freeBytes } = worker;
  return {
    id,
    labels,
    totalPollers: slots,
    busyPollers: running.length,
    runningTasks: running.map(({ run, step, begunAt }) => ({ ...run, step, startedAt: toIso(begunAt) })),
    lastHeartbeatAt: toIso(worker.beatAt),
    healthStatus: toHealthStatus(worker, now),
    state,
    hostname: host,
    pid,
    version,
    registeredAt: toIso(worker.registeredAt),
    ...(load === undefined ? {} : { load }),
    ...(freeBytes === undefined ? {} : { freeBytes }),
  };
}

function toHealthStatus({ state, beatAt }: WorkerRecord, now: number): WorkerView['healthStatus'] {
  if (state === 'gone') return 'unhealthy';
  return now - beatAt > overdueMs ? 'warning' : 'healthy';
}

const toCoordinatorView = (coordinator: CoordinatorRecord): CoordinatorView => {
  const { id, url, host, pid, version, startedAt, beatAt, isAlive, workers } = coordinator;
  return {
    id,
    url,
    hostname: host,
    pid,
    version,
    startedAt: toIso(startedAt),
    lastHeartbeatAt: toIso(beatAt),
    status: isAlive ? 'active' : 'gone',
    workers,
  };
};

const toTokenView = ({ id, note, labels, createdAt, expiresAt }: JoinToken): JoinTokenView => ({
  id,
  note,
  labels,
  createdAt: toIso(createdAt),
  ...(expiresAt === undefined ? {} : { expiresAt: toIso(expiresAt) }),
});
