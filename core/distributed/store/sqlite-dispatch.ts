import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../store/database/database.ts';
import { openDatabase } from '../../store/open-store.ts';
import type { DispatchStore } from '../../store/types/dispatch.ts';
import { dispatchDefaults, pruneIntervalMs, type DispatchSettings } from './rows.ts';
import * as handOver from './sqlite-assignment.ts';
import * as tasks from './sqlite-host-tasks.ts';
import { type SqliteContext, ChangeNotifier } from './sqlite-changes.ts';
import * as workerQueries from './sqlite-workers.ts';
import { reap, prune } from './sqlite-worker-lifecycle.ts';
import * as life from './sqlite-worker-lifecycle.ts';

/**
 * Opens the task store in the home's database file, with its own connection. Uses the machine's clock. Throws as
 * `openStore` does.
 * @param options.file path, or `:memory:` for a database that ends with the process
 */
export function openSqliteDispatch(options: {
  readonly file: string;
  readonly clock: Clock;
  readonly settings?: DispatchSettings;
}): DispatchStore {
  const { file, clock, settings = dispatchDefaults } = options;
  return createSqliteDispatch(openDatabase(file), clock, settings);
}

/** Creates the store on a dedicated connection. */
export function createSqliteDispatch(
  database: Database,
  clock: Clock,
  settings: DispatchSettings,
): DispatchStore {
  const notifier = new ChangeNotifier(database, clock);
  const context: SqliteContext = { database, clock, settings, notifier };
  let prunedAt = -Infinity;
  const reapAndTidy = (): { lost: number; returned: number } => {
    const reaped = reap(context);
    if (clock.monotonic() - prunedAt >= pruneIntervalMs) {
      prunedAt = clock.monotonic();
      prune(context, clock.now());
    }
    return reaped;
  };
  const later = bind(context);
  return {
    offer: later(tasks.offer),
    find: later(tasks.find),
    findChanged: later(tasks.findChanged),
    cancel: later(tasks.cancel),
    abandon: later(tasks.abandon),
    forget: later(tasks.forget),
    register: later(life.register),
    claim: later(handOver.claim),
    release: later(handOver.release),
    begin: later(handOver.begin),
    beat: later(life.beat),
    settle: later(handOver.settle),
    findHeld: later(handOver.findHeld),
    findCredential: later(life.findCredential),
    findCancels: later(handOver.findCancels),
    leave: later(life.leave),
    reap: later(reapAndTidy),
    listWorkers: later(workerQueries.listWorkers),
    setDraining: later(life.setDraining),
    removeWorker: later(life.removeWorker),
    listTasks: later(workerQueries.listTasks),
    match: later(workerQueries.match),
    stats: later(workerQueries.readStats),
    heartbeatCoordinator: later(workerQueries.heartbeatCoordinator),
    leaveCoordinator: later(workerQueries.leaveCoordinator),
    listCoordinators: later(workerQueries.listCoordinators),
    addJoinToken: later(workerQueries.addJoinToken),
    listJoinTokens: later(workerQueries.listJoinTokens),
    removeJoinToken: later(workerQueries.removeJoinToken),
    findJoinToken: later(workerQueries.findJoinToken),
    onWake: (listener) => notifier.listen(listener),
    close: later(() => {
      notifier.close();
      database.close();
    }),
  };
}

/** Wraps a synchronous operation in a promise; exceptions become rejections. */
const bind =
  (context: SqliteContext) =>
  <Values extends unknown[], Result>(operation: (dependencies: SqliteContext, ...values: Values) => Result) =>
  async (...values: Values): Promise<Awaited<Result>> => {
    try {
      return await operation(context, ...values);
    } catch (error) {
      throw context.database.toStoreError(error);
    }
  };
