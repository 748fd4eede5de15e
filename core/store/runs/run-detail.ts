import type { NodeId } from '../../model/run/run-event.ts';
import type {
  AttemptRecord,
  RunDetail,
  RunRef,
  SpecSource,
  StepRecord,
  RecoveryRecord,
} from '../../model/run/run.ts';
import { hashSpec } from './changes/create-run.ts';
import type { Database } from '../database/database.ts';
import { listApprovalsOfRun } from '../approvals/list-approvals.ts';
import { readLastEventId } from '../events/events.ts';
import { findHostOf } from '../hosts/hosts.ts';
import { findRun } from './find-run.ts';
import { type AttemptRow, type StepRow, toAttemptRecord, toStepRecord } from './rows.ts';
import { readItemSummaries } from '../events/step-items.ts';

export const stepsSql = 'SELECT * FROM step WHERE run_key = ? ORDER BY section, name';
export const attemptsSql = 'SELECT * FROM attempt WHERE run_key = ? ORDER BY section, name, attempt';
export const subRunsSql = 'SELECT key, section, name, dag, run_id FROM sub_run WHERE run_key = ?';
export const recoveriesSql =
  "SELECT at, data FROM event WHERE run_key = ? AND type = 'run.recovered' ORDER BY id";
export const specSql = /* sql */ `
  SELECT spec.text, spec.sha256, run.spec_file, run.spec_document, base.text AS base_text,
    base.sha256 AS base_sha256
  FROM run JOIN spec ON spec.key = run.spec_key LEFT JOIN spec base ON base.key = run.base_key WHERE run.key = ?`;

interface SubRunRow {
  readonly key: number;
  readonly section: NodeId['section'];
  readonly name: string;
  readonly dag: string;
  readonly run_id: string;
}

interface SpecRow {
  readonly text: string;
  readonly sha256: string;
  readonly spec_file: string | null;
  readonly spec_document: number;
  readonly base_text: string | null;
  readonly base_sha256: string | null;
}

/** Implements `RunStore.getDetail`: returns one consistent snapshot during concurrent writes. */
export function getDetail(database: Database, ref: RunRef): RunDetail | undefined {
  return database.read(() => {
    const run = findRun(database, ref);
    if (run === undefined) return undefined;
    return {
      run,
      spec: readSpec(database, run.key),
      steps: readSteps(database, run.key),
      host: findHostOf(database, run.key),
      takeOvers: run.epoch > 1 ? readRecoveries(database, run.key) : [],
      lastEventId: readLastEventId(database),
    };
  });
}

function readRecoveries(database: Database, runKey: number): RecoveryRecord[] {
  return database.all<{ at: number; data: string }>(recoveriesSql, runKey).map(({ at, data }) => {
    const { by, from, reason } = JSON.parse(data) as Omit<RecoveryRecord, 'at'>;
    return { at, by, from, reason };
  });
}

function readSpec(database: Database, runKey: number): SpecSource {
  const row = database.get<SpecRow>(specSql, runKey)!;
  checkText(database, row.text, row.sha256);
  if (row.base_text !== null) checkText(database, row.base_text, row.base_sha256);
  return {
    text: row.text,
    base: row.base_text ?? undefined,
    file: row.spec_file ?? undefined,
    document: row.spec_document,
  };
}

/** Verifies the checksum of a source, because SQLite does not detect a flipped bit inside a value. */
function checkText(database: Database, text: string, sha256: string | null): void {
  if (hashSpec(text) === sha256) return;
  throw database.describeDamage('checksum mismatch in a stored workflow');
}

function readSteps(database: Database, runKey: number): StepRecord[] {
  const attempts = Map.groupBy(database.all<AttemptRow>(attemptsSql, runKey), nodeKey);
  const subRuns = Map.groupBy(
    database.all<SubRunRow>(subRunsSql, runKey).sort((a, b) => a.key - b.key),
    nodeKey,
  );
  const items = readItemSummaries(database, runKey);
  const approvals = new Map(
    listApprovalsOfRun(database, runKey).map((approvalRecord) => [
      nodeKey(approvalRecord.node),
      approvalRecord,
    ]),
  );
  return database.all<StepRow>(stepsSql, runKey).map((row) => {
    const key = nodeKey(row);
    const attemptRecords: AttemptRecord[] = (attempts.get(key) ?? []).map(toAttemptRecord);
    return toStepRecord(row, attemptRecords, {
      subRuns: (subRuns.get(key) ?? []).map((sub) => ({ name: sub.dag, dagRunId: sub.run_id })),
      items: items.get(key),
      approval: approvals.get(key),
    });
  });
}

const nodeKey = (row: NodeId): string => `${row.section}/${row.name}`;
