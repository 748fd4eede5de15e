import { createHash, randomUUID } from 'node:crypto';
import { formatUuidV7 } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import type { NodeId, RunEvent, Trigger } from '../../model/run-event.ts';
import type { RunRef, RunStatus, StepStatus } from '../../model/run.ts';
import type { Parameter } from '../../model/workflow.ts';
import type { EventScope, NewEvent, StoredEvent } from '../types/webhooks.ts';
import type { Database } from '../database/database.ts';
import {
  localBranch,
  localEnterprise,
  localRepository,
  repositoryId,
  unknownAccount,
} from '../webhook-events/repository.ts';
import {
  type RunInfo,
  type RunWebhookEventContext,
  type StepInfo,
  isWebhookRelevant,
  listRunWebhookEvents,
} from '../webhook-events/run-webhook-events.ts';
import { depthSql } from './received.ts';

/** Largest JSON payload, whatever its format; larger ones are not stored. */
const maxBytes = 25 * 1024 * 1024;

interface EventRow {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: string | null;
  readonly bytes: number;
  readonly occurred_at: number;
  readonly repository: string | null;
  readonly repository_id: number | null;
  readonly organization: string | null;
  readonly enterprise: string | null;
  readonly installation_id: number | null;
  readonly hook_id: number | null;
}

/**
 * Stores an event for delivery. Call it inside the transaction that changes the state it reports.
 * @param cause the run that it reports
 * @returns the inserted row
 */
export function insertEvent(
  database: Database,
  { guid, event, payload, json = JSON.stringify(payload), encoded, scope }: NewEvent,
  at: number,
  cause?: RunRef,
): { readonly key: number } {
  const bytes = encoded?.length ?? Buffer.byteLength(json);
  const { action } = payload;
  return database.run(
    /* sql */ `
    INSERT INTO webhook_event (guid, event, action, payload, bytes, occurred_at, repository, repository_id, organization,
      enterprise, installation_id, hook_id, is_new, depth)
    VALUES (?, ?, ?, CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, ?, ?, 1, ${cause === undefined ? '0' : `coalesce((${depthSql}), 0)`})`,
    guid,
    event,
    typeof action === 'string' ? action : null,
    bytes <= maxBytes ? database.largeText(json, encoded) : null,
    bytes,
    at,
    scope.repository ?? null,
    scope.repositoryId ?? null,
    scope.organization ?? null,
    scope.enterprise ?? null,
    scope.installationId ?? null,
    scope.hookId ?? null,
    ...(cause === undefined ? [] : [cause.dagRunId, cause.name]),
  );
}

export const addEvents = (database: Database, events: readonly NewEvent[], at: number): StoredEvent[] =>
  database.write(
    () => events.map((event) => addEvent(database, event, at)),
    events.some(({ encoded }) => encoded !== undefined),
  );

function addEvent(database: Database, added: NewEvent, at: number): StoredEvent {
  const { guid, event, payload, json = JSON.stringify(payload), encoded, scope } = added;
  const { key } = insertEvent(database, { ...added, json }, at);
  const bytes = encoded?.length ?? Buffer.byteLength(json);
  const { action } = payload;
  return {
    id: key,
    guid,
    event,
    bytes,
    occurredAt: at,
    scope,
    ...(typeof action === 'string' && { action }),
    ...(bytes <= maxBytes && { payload: json }),
  };
}

export const listNewEvents = (database: Database, limit: number): StoredEvent[] =>
  database
    .all<EventRow>('SELECT * FROM webhook_event WHERE is_new = 1 ORDER BY id LIMIT ?', limit)
    .map(toEvent);

export function findEvent(database: Database, id: number): StoredEvent | undefined {
  const row = database.get<EventRow>('SELECT * FROM webhook_event WHERE id = ?', id);
  return row && toEvent(row);
}

export function findLatestEvent(
  database: Database,
  event: string,
  repository: string,
): StoredEvent | undefined {
  const row = database.get<EventRow>(
    'SELECT * FROM webhook_event WHERE event = ? AND lower(repository) = lower(?) ORDER BY id DESC LIMIT 1',
    event,
    repository,
  );
  return row && toEvent(row);
}

const toEvent = (row: EventRow): StoredEvent => ({
  id: row.id,
  guid: row.guid,
  event: row.event,
  bytes: row.bytes,
  occurredAt: row.occurred_at,
  scope: toScope(row),
  ...(row.action !== null && { action: row.action }),
  ...(row.payload !== null && { payload: row.payload }),
});

const toScope = (row: EventRow): EventScope => ({
  repository: row.repository ?? undefined,
  repositoryId: row.repository_id ?? undefined,
  organization: row.organization ?? undefined,
  enterprise: row.enterprise ?? undefined,
  installationId: row.installation_id ?? undefined,
  hookId: row.hook_id ?? undefined,
});

const scope = {
  repository: localRepository,
  repositoryId: repositoryId(localRepository),
  organization: localRepository.split('/')[0]!,
  enterprise: localEnterprise,
};

/**
 * Stores an event of a run for webhooks, inside the transaction that stores the event, so that both exist or neither.
 * Stores nothing while there are no hooks. The steps of a sub-run are reported as jobs of the run that has called it.
 */
export function saveRunEvent(database: Database, runKey: number, at: number, event: RunEvent): void {
  if (!isWebhookRelevant(event) || !hasListeners(database)) return;
  const known = findReported(database);
  const reported =
    known === undefined ? readReported(database, runKey, event) : applyEvent(known, runKey, at, event);
  if (reported === undefined) return;
  const { run, step } = reported;
  const cause = run.trigger === 'webhook' ? { name: run.dag, dagRunId: run.dagRunId } : undefined;
  for (const [index, webhookEvent] of listRunWebhookEvents(event, at, { run, step }).entries()) {
    const guid = toGuid(at, [runKey, run.attempt, event, index]);
    insertEvent(database, { guid, ...webhookEvent, scope }, at, cause);
  }
}

type WebhookRunEvent = Parameters<typeof listRunWebhookEvents>[0];

/** Reads a run, or a step, after its event was stored; undefined for an event of a sub-run itself. */
function readReported(
  database: Database,
  runKey: number,
  event: WebhookRunEvent,
): RunWebhookEventContext | undefined {
  const path = database.all<PathRow>(pathSql, runKey);
  const [root] = path;
  if (root === undefined || (path.length > 1 && !('node' in event))) return undefined;
  const run = deferRun(database, root.key)();
  if (run === undefined) return undefined;
  return { run, step: 'node' in event ? deferStep(database, path, event.node)() : undefined };
}

/** Runs and steps as they are before the events of a transaction; each event then changes them here too. */
interface ReportedRuns {
  readonly paths: ReadonlyMap<number, readonly PathRow[]>;
  /** By the key of the outermost run. */
  readonly runs: Map<number, RunInfo>;
  readonly steps: Map<string, StepInfo>;
}

const reportedName = 'runs that webhooks report';

const findReported = (database: Database): ReportedRuns | undefined =>
  database.readOnce<ReportedRuns | undefined>(reportedName, () => undefined);

/**
 * Reads what webhook events contain of the runs of a transaction, before its first write, so that a server need not read
 * what the transaction has written. SQLite reads it after each write.
 */
export function readReportedRuns(
  database: Database,
  batches: readonly { readonly runKey: number; readonly events: readonly { readonly event: RunEvent }[] }[],
): void {
  let found: { readonly runs: ReportedRuns | undefined } | undefined;
  database.know(reportedName, () => (found ??= { runs: readRuns(database, batches) }).runs);
  findReported(database);
}

/** The transaction reads the rows from now on, because a part of it was rolled back. */
export const forgetReportedRuns = (database: Database): void => database.know(reportedName, () => undefined);

function readRuns(
  database: Database,
  batches: Parameters<typeof readReportedRuns>[1],
): ReportedRuns | undefined {
  const reported = batches.map(({ runKey, events }) => ({
    runKey,
    events: events.flatMap(({ event }) => (isWebhookRelevant(event) ? [event] : [])),
  }));
  const all = reported.flatMap(({ events }) => events);
  if (all.length === 0 || !hasListeners(database)) return undefined;
  if (all.some(({ type }) => type === 'run.created' || type === 'run.retried')) return undefined;
  const runKeys = reported.flatMap(({ runKey, events }) => (events.length > 0 ? [runKey] : []));
  const deferred = runKeys.map((key) => [key, database.defer<PathRow>(pathSql, key)] as const);
  const paths = new Map(deferred.map(([key, rows]) => [key, rows()]));
  const roots = new Set([...paths.values()].flatMap(([root]) => root?.key ?? []));
  const runs = [...roots].map((key) => [key, deferRun(database, key)] as const);
  const steps = new Map<string, () => StepInfo | undefined>();
  for (const { runKey, events } of reported)
    for (const event of events) {
      const name = 'node' in event ? toStepName(runKey, event.node) : '';
      if (!('node' in event) || steps.has(name)) continue;
      steps.set(name, deferStep(database, paths.get(runKey)!, event.node));
    }
  return { paths, runs: readAll(runs), steps: readAll([...steps]) };
}

const readAll = <Key, Value>(
  deferred: readonly (readonly [Key, () => Value | undefined])[],
): Map<Key, Value> =>
  new Map(
    deferred.flatMap(([key, read]) => {
      const value = read();
      return value === undefined ? [] : [[key, value] as const];
    }),
  );

const toStepName = (runKey: number, { section, name }: NodeId): string => `${runKey}/${section}/${name}`;

/** Changes what is known of a run or step as its event has changed the rows. */
function applyEvent(
  { paths, runs, steps }: ReportedRuns,
  runKey: number,
  at: number,
  event: WebhookRunEvent,
): RunWebhookEventContext | undefined {
  const path = paths.get(runKey) ?? [];
  const run = path[0] && runs.get(path[0].key);
  if (run === undefined) return undefined;
  if (!('node' in event)) {
    if (path.length > 1) return undefined;
    const changed = changeRun(run, at, event);
    runs.set(run.key, changed);
    return { run: changed };
  }
  const name = toStepName(runKey, event.node);
  const step = steps.get(name);
  if (step === undefined) return { run };
  const changed = changeStep(step, at, event);
  steps.set(name, changed);
  return { run, step: changed };
}

function changeRun(run: RunInfo, at: number, event: Exclude<WebhookRunEvent, { node: NodeId }>): RunInfo {
  if (event.type === 'run.started')
    return { ...run, status: 'running', startedAt: run.startedAt ?? at, error: undefined };
  return event.type === 'run.finished'
    ? { ...run, status: event.status, finishedAt: at, error: event.error }
    : run;
}

function changeStep(step: StepInfo, at: number, event: Extract<WebhookRunEvent, { node: NodeId }>): StepInfo {
  switch (event.type) {
    case 'step.started':
      return { ...step, status: 'running', startedAt: step.startedAt ?? at, error: undefined };
    case 'step.finished':
      return { ...step, status: event.status, finishedAt: at, error: event.error };
    case 'step.ended':
      return { ...step, status: event.status, finishedAt: at, error: event.reason };
  }
}

/** Distinguishes the GUIDs of this process from those of other ones, also of other homes. */
const guidSeed = randomUUID();

/** Returns the same GUID for the same event, because an operation of the store may be repeated before it commits. */
function toGuid(at: number, identity: readonly unknown[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([guidSeed, at, ...identity]))
    .digest();
  return formatUuidV7(at, digest.subarray(0, 10));
}

/**
 * Stores an event of our own as `repository_dispatch`, GitHub's event for custom events. Call it inside the transaction
 * that changes the state it reports. Stores nothing while there are no hooks.
 */
export function saveDispatch(database: Database, action: string, content: JsonObject, at: number): void {
  if (!hasListeners(database)) return;
  const payload = { action, branch: localBranch, client_payload: content, sender: unknownAccount };
  insertEvent(database, { guid: toGuid(at, [payload]), event: 'repository_dispatch', payload, scope }, at);
}

/**
 * Whether there are hooks. Checked once for all runs of a commit: writers take turns, so no hook can be added
 * meanwhile.
 */
const hasListeners = (database: Database): boolean =>
  database.readOnce(listenersName, () => database.get(listenersSql) !== undefined);

const listenersName = 'webhook listeners';

/** Checks with the next statement whether there are hooks. */
export function deferListeners(database: Database): void {
  const rows = database.defer(listenersSql);
  database.know(listenersName, () => rows().length > 0);
}

/** For a transaction on the condition that there are no hooks. */
export const assumeNoListeners = (database: Database): void => database.know(listenersName, () => false);

export const listenersSql =
  'SELECT 1 AS found FROM webhook_hook WHERE active = 1 AND channel IS NULL AND deleted_at IS NULL LIMIT 1';

/** A run on the path from the outermost run to this one; `step` has called it. */
interface PathRow {
  readonly key: number;
  readonly dag: string;
  readonly run_id: string;
  readonly step: string | null;
}

const pathSql = /* sql */ `
  WITH RECURSIVE above (key, depth) AS (
    SELECT CAST(? AS BIGINT), 0
    UNION ALL SELECT run.parent_key, depth + 1 FROM run JOIN above ON run.key = above.key WHERE run.parent_key IS NOT NULL)
  SELECT run.key, run.dag, run.run_id, run.parent_step AS step
  FROM above JOIN run ON run.key = above.key ORDER BY depth DESC`;

interface RunRow {
  readonly key: number;
  readonly dag: string;
  readonly run_id: string;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  readonly started_by: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly error: string | null;
  readonly params: string;
  readonly sha256: string;
  readonly spec_file: string | null;
  readonly retries: number;
}

const runSql = /* sql */ `
  SELECT run.key, run.dag, run.run_id, run.status, run.trigger, run.started_by, run.created_at, run.started_at,
    run.finished_at, run.error, run.params, spec.sha256, run.spec_file,
    (SELECT count(*) FROM event WHERE event.run_key = run.key AND event.type = 'run.retried') AS retries
  FROM run JOIN spec ON spec.key = run.spec_key WHERE run.key = ?`;

function deferRun(database: Database, runKey: number): () => RunInfo | undefined {
  const rows = database.defer<RunRow>(runSql, runKey);
  const tags = database.defer<{ tag: string }>(
    'SELECT tag FROM run_tag WHERE run_key = ? ORDER BY tag',
    runKey,
  );
  return () => {
    const [row] = rows();
    return row && toRunInfo(row, tags());
  };
}

function toRunInfo(row: RunRow, tags: readonly { readonly tag: string }[]): RunInfo {
  const params = JSON.parse(row.params) as Parameter[];
  return {
    key: row.key,
    dag: row.dag,
    dagRunId: row.run_id,
    status: row.status,
    trigger: row.trigger,
    startedBy: row.started_by ?? undefined,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    error: row.error ?? undefined,
    params: Object.fromEntries(params.map(({ name, value }) => [name, value])),
    textHash: row.sha256,
    file: row.spec_file ?? undefined,
    tags: tags.map(({ tag }) => tag),
    attempt: row.retries + 1,
  };
}

interface StepRow {
  /** Null before its start. */
  readonly status: StepStatus | null;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly error: string | null;
  readonly hostname: string | null;
}

const stepSql = /* sql */ `
  SELECT step.status, step.started_at, step.finished_at, step.error, run.owner_host AS hostname
  FROM run LEFT JOIN step ON step.run_key = run.key AND step.section = ? AND step.name = ? WHERE run.key = ?`;

function deferStep(
  database: Database,
  path: readonly PathRow[],
  { section, name }: NodeId,
): () => StepInfo | undefined {
  const last = path.at(-1);
  if (last === undefined) return () => undefined;
  const rows = database.defer<StepRow>(stepSql, section, name, last.key);
  return () => {
    const [row] = rows();
    return row && toStepInfo(name, path, row);
  };
}

function toStepInfo(name: string, path: readonly PathRow[], row: StepRow): StepInfo {
  const { key, dag, run_id: dagRunId } = path.at(-1)!;
  return {
    name,
    stepRun: { key, dag, dagRunId, callers: path.flatMap(({ step }) => step ?? []) },
    status: row.status ?? 'not_started',
    startedAt: row.started_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    error: row.error ?? undefined,
    host: row.hostname ?? undefined,
  };
}
