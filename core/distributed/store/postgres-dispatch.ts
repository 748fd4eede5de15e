import type { Clock } from '../../base/clock.ts';
import type { DispatchStore } from '../../store/types/dispatch.ts';
import { dispatchDefaults, pruneIntervalMs, type DispatchSettings } from './rows.ts';
import { claim } from './postgres-assignment.ts';
import {
  Connection,
  connectionDefaults,
  type ConnectionLimits,
  NotificationListener,
  type PostgresContext,
} from './postgres-connection.ts';
import * as handOver from './postgres-assignment.ts';
import * as tasks from './postgres-host-tasks.ts';
import * as workerQueries from './postgres-workers.ts';
import { reap, prune } from './postgres-worker-lifecycle.ts';
import * as life from './postgres-worker-lifecycle.ts';

/**
 * Opens the task store in a PostgreSQL database whose tables the main store has created. Connects at the first use.
 * All times are the server's.
 * @param options.url `postgres://user:password@host:port/database?sslmode=…`
 * @param options.clock for delays only
 */
export function openPostgresDispatch(options: {
  readonly url: string;
  readonly clock: Clock;
  readonly settings?: DispatchSettings;
  readonly limits?: ConnectionLimits;
}): DispatchStore {
  const { url, clock, settings = dispatchDefaults, limits = connectionDefaults } = options;
  const connection = new Connection(url, limits);
  const notices = new NotificationListener(connection, clock);
  const context: PostgresContext = { connection, settings };
  let prunedAt = -Infinity;
  const reapAndTidy = async (): Promise<{ lost: number; returned: number }> => {
    const reaped = await reap(context);
    if (clock.monotonic() - prunedAt >= pruneIntervalMs) {
      prunedAt = clock.monotonic();
      await prune(context);
    }
    return reaped;
  };
  const bound = bind(context);
  return {
    offer: bound(tasks.offer),
    find: bound(tasks.find),
    findChanged: bound(tasks.findChanged),
    cancel: bound(tasks.cancel),
    abandon: bound(tasks.abandon),
    forget: bound(tasks.forget),
    register: bound(life.register),
    claim: bound(claim),
    release: bound(handOver.release),
    begin: bound(handOver.begin),
    beat: bound(life.beat),
    settle: bound(handOver.settle),
    findHeld: bound(handOver.findHeld),
    findCredential: bound(life.findCredential),
    findCancels: bound(handOver.findCancels),
    leave: bound(life.leave),
    reap: reapAndTidy,
    listWorkers: bound(workerQueries.listWorkers),
    setDraining: bound(life.setDraining),
    removeWorker: bound(life.removeWorker),
    listTasks: bound(workerQueries.listTasks),
    match: bound(workerQueries.match),
    stats: bound(workerQueries.readStats),
    heartbeatCoordinator: bound(workerQueries.heartbeatCoordinator),
    leaveCoordinator: bound(workerQueries.leaveCoordinator),
    listCoordinators: bound(workerQueries.listCoordinators),
    addJoinToken: bound(workerQueries.addJoinToken),
    listJoinTokens: bound(workerQueries.listJoinTokens),
    removeJoinToken: bound(workerQueries.removeJoinToken),
    findJoinToken: bound(workerQueries.findJoinToken),
    onWake: (listener) => notices.listen(listener),
    close: async () => {
      await notices.close();
      await connection.close();
    },
  };
}

const bind =
  (context: PostgresContext) =>
  <Values extends unknown[], Result>(
    operation: (dependencies: PostgresContext, ...values: Values) => Promise<Result>,
  ) =>
  (...values: Values): Promise<Result> =>
    operation(context, ...values);
