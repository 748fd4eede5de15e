import type { Clock } from '../../../base/clock.ts';
import type { DispatchStore } from '../../ports.ts';
import { dispatchDefaults, tidyEveryMs, type DispatchSettings } from '../settings.ts';
import { claim } from './claim.ts';
import { Connection, connectionDefaults, type ConnectionLimits } from './connection.ts';
import * as handOver from './assignment.ts';
import * as tasks from './host-tasks.ts';
import { Notices } from './notices.ts';
import type { PostgresDeps } from './parts.ts';
import * as workerQueries from './workers.ts';
import { reap, tidy } from './reap.ts';
import * as life from './worker-life.ts';

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
  const notices = new Notices(connection, clock);
  const deps: PostgresDeps = { connection, settings };
  let tidiedAt = -Infinity;
  const reapAndTidy = async (): Promise<{ lost: number; returned: number }> => {
    const reaped = await reap(deps);
    if (clock.monotonic() - tidiedAt >= tidyEveryMs) {
      tidiedAt = clock.monotonic();
      await tidy(deps);
    }
    return reaped;
  };
  const on = bind(deps);
  return {
    offer: on(tasks.offer),
    find: on(tasks.find),
    findChanged: on(tasks.findChanged),
    cancel: on(tasks.cancel),
    abandon: on(tasks.abandon),
    forget: on(tasks.forget),
    register: on(life.register),
    claim: on(claim),
    release: on(handOver.release),
    begin: on(handOver.begin),
    beat: on(life.beat),
    settle: on(handOver.settle),
    findHeld: on(handOver.findHeld),
    findCredential: on(life.findCredential),
    findCancels: on(handOver.findCancels),
    leave: on(life.leave),
    reap: reapAndTidy,
    listWorkers: on(workerQueries.listWorkers),
    setDraining: on(life.setDraining),
    removeWorker: on(life.removeWorker),
    listTasks: on(workerQueries.listTasks),
    match: on(workerQueries.match),
    facts: on(workerQueries.readStats),
    heartbeatCoordinator: on(workerQueries.heartbeatCoordinator),
    leaveCoordinator: on(workerQueries.leaveCoordinator),
    listCoordinators: on(workerQueries.listCoordinators),
    addJoinToken: on(workerQueries.addJoinToken),
    listJoinTokens: on(workerQueries.listJoinTokens),
    removeJoinToken: on(workerQueries.removeJoinToken),
    findJoinToken: on(workerQueries.findJoinToken),
    onWake: (listener) => notices.listen(listener),
    close: async () => {
      await notices.close();
      await connection.close();
    },
  };
}

const bind =
  (deps: PostgresDeps) =>
  <Values extends unknown[], Result>(
    operation: (dependencies: PostgresDeps, ...values: Values) => Promise<Result>,
  ) =>
  (...values: Values): Promise<Result> =>
    operation(deps, ...values);
