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
  const path = database.all<PathRow>(pathSql, runKey);
  const [root] = path;
  if (root === undefined || (path.length > 1 && !('node' in event))) return;
  const run = readRun(database, root.key);
  if (run === undefined) return;
  const step = 'node' in event ? readStep(database, path, event.node) : undefined;
  const cause = run.trigger === 'webhook' ? { name: run.dag, dagRunId: run.dagRunId } : undefined;
  for (const [index, webhookEvent] of listRunWebhookEvents(event, at, { run, step }).entries()) {
    const guid = toGuid(at, [runKey, run.attempt, event, index]);
    insertEvent(database, { guid, ...webhookEvent, scope }, at, cause);
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

function readRun(database: Database, runKey: number): RunInfo | undefined {
  const row = database.get<RunRow>(runSql, runKey);
  if (row === undefined) return undefined;
  const tags = database.all<{ tag: string }>(
    'SELECT tag FROM run_tag WHERE run_key = ? ORDER BY tag',
    runKey,
  );
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
  readonly status: StepStatus;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly error: string | null;
  readonly hostname: string | null;
}

function readStep(
  database: Database,
  path: readonly PathRow[],
  { section, name }: NodeId,
): StepInfo | undefined {
  const { key, dag, run_id: dagRunId } = path.at(-1)!;
  const row = database.get<StepRow>(
    /* sql */ `
    SELECT step.status, step.started_at, step.finished_at, step.error, run.owner_host AS hostname
    FROM step JOIN run ON run.key = step.run_key WHERE step.run_key = ? AND step.section = ? AND step.name = ?`,
    key,
    section,
    name,
  );
  if (row === undefined) return undefined;
  return {
    name,
    stepRun: { key, dag, dagRunId, callers: path.flatMap(({ step }) => step ?? []) },
    status: row.status,
    startedAt: row.started_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    error: row.error ?? undefined,
    host: row.hostname ?? undefined,
  };
}
