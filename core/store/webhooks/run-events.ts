import { randomUUID } from 'node:crypto';
import type { NodeId, RunEvent, Trigger } from '../../model/run-event.ts';
import type { RunStatus, StepStatus } from '../../model/status.ts';
import type { Parameter } from '../../model/workflow.ts';
import { ownEnterprise, ownRepository, repositoryId } from '../../webhooks/sources/places.ts';
import type { RunFacts, StepFacts } from '../../webhooks/sources/run-facts.ts';
import { isTold, listOccurrences } from '../../webhooks/sources/run-occurrences.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from './events.ts';
import { noteDepth } from './received/depth.ts';

const scope = {
  repository: ownRepository,
  repositoryId: repositoryId(ownRepository),
  organization: ownRepository.split('/')[0]!,
  enterprise: ownEnterprise,
};

/**
 * Keeps what webhooks are told of a run's event; part of the transaction that stores it, so that both are there or
 * none. Nothing is kept while nobody wants to be told, nor of sub-runs, which are steps of their run.
 */
export function keepRunEvent(database: Database, runKey: number, at: number, event: RunEvent): void {
  if (!isTold(event) || !hasListeners(database)) return;
  const run = readRun(database, runKey);
  if (run === undefined) return;
  const step = 'node' in event ? readStep(database, runKey, event.node) : undefined;
  for (const occurrence of listOccurrences(event, at, run, step)) {
    const id = insertEvent(database, { guid: randomUUID(), ...occurrence, scope }, at);
    if (run.trigger === 'webhook') noteDepth(database, id, { name: run.dag, dagRunId: run.dagRunId });
  }
}

const hasListeners = (database: Database): boolean =>
  database.get('SELECT 1 AS found FROM webhook_hook WHERE active = 1 AND deleted_at IS NULL LIMIT 1') !==
  undefined;

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
  FROM run JOIN spec ON spec.key = run.spec_key WHERE run.key = ? AND run.is_sub = 0`;

function readRun(database: Database, runKey: number): RunFacts | undefined {
  const row = database.get<RunRow>(runSql, runKey);
  if (row === undefined) return undefined;
  const tags = database.all<{ tag: string }>('SELECT tag FROM run_tag WHERE run_key = ?', runKey);
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
  readonly attempt: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly error: string | null;
  readonly hostname: string | null;
}

function readStep(database: Database, runKey: number, { section, name }: NodeId): StepFacts | undefined {
  const row = database.get<StepRow>(
    /* sql */ `
    SELECT step.status, step.attempt, step.started_at, step.finished_at, step.error, run.owner_host AS hostname
    FROM step JOIN run ON run.key = step.run_key WHERE step.run_key = ? AND step.section = ? AND step.name = ?`,
    runKey,
    section,
    name,
  );
  if (row === undefined) return undefined;
  return {
    name,
    status: row.status,
    attempt: row.attempt,
    startedAt: row.started_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    error: row.error ?? undefined,
    host: row.hostname ?? undefined,
  };
}
