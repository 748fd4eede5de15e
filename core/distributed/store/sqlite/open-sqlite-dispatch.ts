import type { Clock } from '../../../base/clock.ts';
import type { Database } from '../../../store/database/database.ts';
import { openDatabase } from '../../../store/open-store.ts';
import type { DispatchStore } from '../../ports.ts';
import { dispatchDefaults, tidyEveryMs, type DispatchSettings } from '../settings.ts';
import * as handOver from './hand-over.ts';
import * as tasks from './host-tasks.ts';
import type { SqliteParts } from './parts.ts';
import * as people from './people.ts';
import { reap, tidy } from './reap.ts';
import { Wakes } from './wakes.ts';
import * as life from './worker-life.ts';

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
  const wakes = new Wakes(database, clock);
  const parts: SqliteParts = { database, clock, settings, wakes };
  let tidiedAt = -Infinity;
  const reapAndTidy = (): { lost: number; returned: number } => {
    const reaped = reap(parts);
    if (clock.monotonic() - tidiedAt >= tidyEveryMs) {
      tidiedAt = clock.monotonic();
      tidy(parts, clock.now());
    }
    return reaped;
  };
  const later = bind(parts);
  return {
    offer: later(tasks.offer),
    find: later(tasks.find),
    findChanged: later(tasks.findChanged),
    cancel: later(tasks.cancel),
    abandon: later(tasks.abandon),
    forget: later(tasks.forget),
    register: later(life.register),
    claim: later(handOver.claim),
    handBack: later(handOver.handBack),
    begin: later(handOver.begin),
    beat: later(life.beat),
    settle: later(handOver.settle),
    findHeld: later(handOver.findHeld),
    findCredential: later(life.findCredential),
    findCancels: later(handOver.findCancels),
    leave: later(life.leave),
    reap: later(reapAndTidy),
    listWorkers: later(people.listWorkers),
    setDraining: later(life.setDraining),
    removeWorker: later(life.removeWorker),
    listTasks: later(people.listTasks),
    match: later(people.match),
    facts: later(people.readFacts),
    beatCoordinator: later(people.beatCoordinator),
    leaveCoordinator: later(people.leaveCoordinator),
    listCoordinators: later(people.listCoordinators),
    addJoinToken: later(people.addJoinToken),
    listJoinTokens: later(people.listJoinTokens),
    removeJoinToken: later(people.removeJoinToken),
    findJoinToken: later(people.findJoinToken),
    onWake: (listener) => wakes.listen(listener),
    close: later(() => {
      wakes.close();
      database.close();
    }),
  };
}

/** Wraps a synchronous operation in a promise; exceptions become rejections. */
const bind =
  (parts: SqliteParts) =>
  <Values extends unknown[], Result>(operation: (parts: SqliteParts, ...values: Values) => Result) =>
  async (...values: Values): Promise<Awaited<Result>> => {
    try {
      return await operation(parts, ...values);
    } catch (thrown) {
      throw parts.database.describeError(thrown);
    }
  };
