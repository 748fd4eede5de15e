import type { FastifyInstance } from 'fastify';
import { messageOf } from '../../../base/errors.ts';
import type { DispatchStore } from '../../ports.ts';

export interface HealthDeps {
  readonly store: DispatchStore;
  readonly version: string;
  /** Whether it can hand out tasks. */
  isServing(): boolean;
  /** Number of waiting workers. */
  waiting(): number;
}

/**
 * Adds `GET /health` without authentication: 200 while serving workers, 503 while the database is unreachable or the
 * coordinator is closing, so that a load balancer uses another one.
 */
export function addHealthRoute(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/health', async (_request, reply) => {
    const database = await askDatabase(deps.store);
    const isHealthy = deps.isServing() && database.status === 'healthy';
    return reply.code(isHealthy ? 200 : 503).send({
      status: isHealthy ? 'healthy' : 'unhealthy',
      version: deps.version,
      isStopping: !deps.isServing(),
      waitingWorkers: deps.waiting(),
      database,
    });
  });
}

async function askDatabase(store: DispatchStore): Promise<{ readonly status: string }> {
  try {
    const { ready, claimed, running } = await store.stats();
    return { status: 'healthy', ...{ tasks: { ready, claimed, running } } };
  } catch (error) {
    return { status: 'unhealthy', ...{ reason: messageOf(error) } };
  }
}
