import type { AuditStore } from './types/audit.ts';
import type { VersionStore } from '../home/library/spec-versions.ts';
import type { MaintenanceStore } from './types/maintenance.ts';
import type { QueueStore } from './types/queues.ts';
import type { ApprovalStore, RunStore } from './types/runs.ts';
import type { ScheduleStore } from './types/schedules.ts';
import type { ReceivedStore } from './types/receivers.ts';
import type { WebhookStore } from './types/webhooks.ts';
import type { ExpectationStore } from './types/expectations.ts';
import type { PingStore } from './types/pings.ts';
import type { NotificationStore } from './types/notifications.ts';
import { createApprovalStore } from './approvals.ts';
import { createAuditStore } from './audit.ts';
import { append } from './events/append.ts';
import { RunStates } from './events/run-states.ts';
import { checkFile } from './database/check-file.ts';
import {
  countOutcomes,
  countWithStatus,
  findRunId,
  listFailures,
  usualDuration,
  recentStatuses,
} from './runs/run-statistics.ts';
import { check, readStorage } from './storage.ts';
import {
  countByDay,
  countActiveRuns,
  findVersion,
  latestRun,
  latestRuns,
  listRuns,
} from './runs/run-lists.ts';
import { createRun, createRuns, reopenRun } from './runs/create-run.ts';
import type { Database } from './database/database.ts';
import { listEvents, readLastEventId } from './events/events.ts';
import { findRun } from './run-rows.ts';
import {
  beat,
  findRunHost,
  leaveRuns,
  listDrivingHosts,
  listKnownHosts,
  listOrphanedRuns,
  claimService,
  findService,
  releaseService,
  renewService,
} from './hosts.ts';
import { claimOrphanedRun, requestStop } from './run-ownership.ts';
import { migrate, migrations } from './database/migrate.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import type { PostgresDatabase } from './postgres/postgres-database.ts';
import { listPurgeable, purgeRuns, deleteRun } from './runs/purge-runs.ts';
import {
  getDetail,
  getSpec,
  listStepSubRuns,
  listStepStates,
  findSubRun,
  listSubRuns,
} from './runs/run-detail.ts';
import { listItems } from './events/step-items.ts';
import { countRuns, searchRuns } from './runs/search-runs.ts';
import { setNote } from './runs/run-notes.ts';
import { setStepStatus } from './events/set-step-status.ts';
import { createQueueStore } from './queues.ts';
import { createScheduleStore } from './schedules.ts';
import { checkIfSmall, hasLog } from './check-database.ts';
import { createMaintenanceStore } from './maintenance-store.ts';
import { SqliteDatabase } from './database/sqlite-database.ts';
import { toSqliteError } from './database/store-error.ts';
import { createVersionStore } from './versions.ts';
import { readWebhookRevision } from './webhooks/webhooks.ts';
import { createReceivedStore } from './webhooks/received.ts';
import { createWebhookStore } from './webhooks/webhook-store.ts';
import { createExpectationStore } from './expectations.ts';
import { createPingStore } from './pings.ts';
import { createNotificationStore } from './notifications/notification-store.ts';

/**
 * Opens the database of a home, created or migrated when needed. A server is connected to by the first operation; wait
 * for `ready` first. Any number of processes can have the same file open.
 * All operations throw these errors too.
 * @param options.url of a PostgreSQL server; `schema` names another schema than `stepwright`
 * @param options.file its path, or `:memory:` for a store that lives as long as the process
 * @param options.checkAfterCrash checks the whole file when it was not closed properly; for long-lived hosts, because
 * it takes up to 0.2 s
 * @throws `database_corrupt` or `database_newer` (the file stays unchanged), `home_unusable`, `storage_full`
 */
export function openStore(
  options: { file: string; checkAfterCrash?: boolean } | { readonly url: string },
): Store {
  if ('url' in options) return createStore(openServerDatabase(options.url));
  const wasClosed = !options.checkAfterCrash || !hasLog(options.file);
  const database = openDatabase(options.file);
  try {
    if (!wasClosed) checkIfSmall(database);
  } catch (error) {
    database.close();
    throw toSqliteError(error, options.file);
  }
  return createStore(database);
}

/** All operations on the database of a home. */
export interface Store extends RunStore {
  readonly schedule: ScheduleStore;
  readonly queues: QueueStore;
  readonly maintenance: MaintenanceStore;
  readonly versions: VersionStore;
  readonly audit: AuditStore;
  readonly approvals: ApprovalStore;
  readonly webhooks: WebhookStore;
  readonly received: ReceivedStore;
  readonly notifications: NotificationStore;
  readonly expectations: ExpectationStore;
  readonly pings: PingStore;
  /** Returns a string that changes whenever any webhook data has changed, in any process. */
  webhookRevision(): Promise<string>;
  /** Resolves when the database is open and has the schema of this release; rejects otherwise. */
  ready(): Promise<void>;
}

/** Creates the operations on an open connection. */
export function createStore(database: Database): Store {
  const part = <Part extends object>(operations: Operations<Part>): Part =>
    toAsynchronous<Part>(operations, database);
  return {
    ...part<RunOperations>(createRunOperations(database)),
    ...part<Pick<Store, 'ready' | 'webhookRevision'>>({
      ready: () => undefined,
      webhookRevision: () => readWebhookRevision(database),
    }),
    name: database.name,
    dataVersion: () => database.dataVersion(),
    commitRevision: () => database.commitRevision(),
    close: () => database.close(),
    schedule: part<ScheduleStore>(createScheduleStore(database)),
    queues: part<QueueStore>(createQueueStore(database)),
    maintenance: part<MaintenanceStore>(createMaintenanceStore(database)),
    versions: part<VersionStore>(createVersionStore(database)),
    audit: part<AuditStore>(createAuditStore(database)),
    approvals: part<ApprovalStore>(createApprovalStore(database)),
    received: part<ReceivedStore>(createReceivedStore(database)),
    webhooks: part<WebhookStore>(createWebhookStore(database)),
    notifications: part<NotificationStore>(createNotificationStore(database)),
    expectations: part<ExpectationStore>(createExpectationStore(database)),
    pings: part<PingStore>(createPingStore(database)),
  };
}

/**
 * The operations of a part of the store as functions on its database: those that return a promise to the caller may
 * return their result at once here.
 */
export type Operations<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...values: infer Values) => Promise<infer Value>
    ? (...values: Values) => Value | Promise<Value>
    : Part[Name];
};

/** Returns the same operations, which throw application errors instead of the driver's. */
export function withStoreErrors<Part extends object>(
  operations: Part,
  database: Pick<Database, 'toStoreError'>,
): Part {
  return mapOperations(operations, (operation, values) => {
    const fail = (error: unknown): never => {
      throw database.toStoreError(error);
    };
    try {
      const result = operation(...values);
      return result instanceof Promise ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  }) as Part;
}

/** Returns the operations as asynchronous ones, which reject with application errors instead of the driver's. */
export function toAsynchronous<Part extends object>(
  operations: Operations<Part>,
  database: Pick<Database, 'perform' | 'toStoreError'>,
): Part {
  return mapOperations(operations, async (operation, values) => {
    try {
      return await database.perform(() => operation(...values));
    } catch (error) {
      throw database.toStoreError(error);
    }
  }) as Part;
}

type Operation = (...values: unknown[]) => unknown;

const mapOperations = (
  operations: object,
  run: (operation: Operation, values: readonly unknown[]) => unknown,
): object =>
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]: [string, Operation]) => [
      name,
      (...values: unknown[]) => run(operation, values),
    ]),
  );

/** The operations on runs, hosts and events that read or write the database. */
type RunOperations = Omit<RunStore, 'name' | 'close' | 'dataVersion' | 'commitRevision'>;

function createRunOperations(database: Database): Operations<RunOperations> {
  const states = new RunStates();
  return {
    createRun: (run, at) => createRun(database, run, at, states),
    createRuns: (runs) => createRuns(database, runs, states),
    append: (batches, cursor) => append(database, batches, states, cursor),
    findRun: (run) => findRun(database, run),
    listStepSubRuns: (runKey, node) => listStepSubRuns(database, runKey, node),
    listEvents: (afterId, limit, run) => listEvents(database, afterId, limit, run),
    purgeRuns: (name, limits) => purgeRuns(database, name, limits),
    lastEventId: () => readLastEventId(database),
    searchRuns: (search) => searchRuns(database, search),
    countRuns: (search) => countRuns(database, search),
    countByDay: (question) => countByDay(database, question),
    countOutcomes: (range) => countOutcomes(database, range),
    countWithStatus: (status) => countWithStatus(database, status),
    listFailures: (since) => listFailures(database, since),
    findRunId: (key) => findRunId(database, key),
    usualDuration: (name) => usualDuration(database, name),
    recentStatuses: (name) => recentStatuses(database, name),
    storage: () => readStorage(database),
    ping: () => void database.get('SELECT 1 AS answer'),
    check: () => check(database),
    listPurgeable: (name, limits) => listPurgeable(database, name, limits),
    findVersion: (run) => findVersion(database, run),
    latestRuns: (names) => latestRuns(database, names),
    listSubRuns: (runKey, filter) => listSubRuns(database, runKey, filter),
    findSubRun: (runKey, dagRunId) => findSubRun(database, runKey, dagRunId),
    listStepStates: (runKeys) => listStepStates(database, runKeys),
    listRuns: (filter) => listRuns(database, filter),
    getDetail: (run) => getDetail(database, run),
    getSpec: (run) => getSpec(database, run),
    latestRun: (name) => latestRun(database, name),
    listItems: (run, filter) => listItems(database, run, filter),
    countActiveRuns: () => countActiveRuns(database),
    reopenRun: (options, at) => reopenRun(database, options, at),
    requestStop: (run, by, at, force) => requestStop(database, run, { by, at, force }),
    setStepStatus: (edit, at) => setStepStatus(database, edit, at),
    setNote: (edit, at) => setNote(database, edit, at),
    deleteRun: (run) => deleteRun(database, run),
    beat: (owner, at, load) => beat(database, owner, at, load),
    leaveRuns: (owner, at) => leaveRuns(database, owner, at),
    listHosts: (limit) => listKnownHosts(database, limit),
    listDrivingHosts: () => listDrivingHosts(database),
    findRunHost: (runKey) => findRunHost(database, runKey),
    listOrphanedRuns: (hostKey) => listOrphanedRuns(database, hostKey),
    claimOrphanedRun: (options, at) => claimOrphanedRun(database, options, at),
    findService: (name) => findService(database, name),
    claimService: (name, epoch, owner, term) => claimService(database, name, { epoch, owner, ...term }),
    renewService: (name, epoch, untilAt) => renewService(database, name, epoch, untilAt),
    releaseService: (name, epoch) => releaseService(database, name, epoch),
  };
}

/** Returns a database on a PostgreSQL server, which its first operation connects to. */
export const openServerDatabase = (url: string): PostgresDatabase => openPostgres(url, migrations);

/** Creates or migrates the schema of a PostgreSQL server. Rejects with application errors only. */
export async function prepareServerDatabase(url: string): Promise<void> {
  const store = openStore({ url });
  try {
    await store.ready();
  } finally {
    store.close();
  }
}

/** Opens a connection to a checked file, with the schema of this release. Throws application errors only. */
export function openDatabase(file: string): SqliteDatabase {
  if (file !== ':memory:') checkFile(file, migrations.at(-1)!.version);
  let database: SqliteDatabase | undefined;
  try {
    database = new SqliteDatabase(file);
    database.configure();
    migrate(database, migrations);
    return database;
  } catch (error) {
    database?.close();
    throw toSqliteError(error, file);
  }
}
