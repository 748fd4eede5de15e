import type { NodeId } from '../../model/run-event.ts';
import type {
  AttemptRecord,
  RunDetail,
  RunRef,
  SpecSource,
  StepRecord,
  RecoveryRecord,
  StepStatus,
  RunRecord,
} from '../../model/run.ts';
import type { Database } from '../database/database.ts';
import { deferRunApprovals } from '../approvals.ts';
import { deferLastEventId } from '../events/events.ts';
import { deferRunHost } from '../hosts.ts';
import { deferItemSummaries } from '../events/step-items.ts';
import type { StepState, SubRunFilter } from '../types/runs.ts';
import { hashSpec } from './create-run.ts';
import {
  findRun,
  type AttemptRow,
  type StepRow,
  toAttemptRecord,
  toStepRecord,
  type RunRow,
  selectRun,
  toRunRecord,
} from '../run-rows.ts';
import { readRows } from './run-lists.ts';
import { deferNote } from './run-notes.ts';

export const stepsSql = 'SELECT * FROM step WHERE run_key = ? ORDER BY section, name';
export const attemptsSql = /* sql */ `
  SELECT attempt.*, (SELECT sha256 FROM spec WHERE spec.key = attempt.spec_key) AS spec_hash
  FROM attempt WHERE run_key = ? ORDER BY section, name, attempt`;
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

/**
 * Implements `RunStore.getDetail`: returns one consistent snapshot during concurrent writes. On a server it costs two
 * round trips.
 */
export function getDetail(database: Database, ref: RunRef): RunDetail | undefined {
  return database.read(() => {
    const run = findRun(database, ref);
    if (run === undefined) return undefined;
    const spec = deferSpec(database, run.key);
    const note = deferNote(database, run.key);
    const steps = deferSteps(database, run.key);
    const host = deferRunHost(database, run.key);
    const recoveries = run.epoch > 1 ? deferRecoveries(database, run.key) : () => [];
    const lastEventId = deferLastEventId(database);
    return {
      run,
      spec: spec(),
      note: note(),
      steps: steps(),
      host: host(),
      recoveries: recoveries(),
      lastEventId: lastEventId(),
    };
  });
}

/** Implements `RunStore.getSpec`. */
export function getSpec(database: Database, ref: RunRef): Pick<RunDetail, 'run' | 'spec'> | undefined {
  return database.read(() => {
    const run = findRun(database, ref);
    return run && { run, spec: deferSpec(database, run.key)() };
  });
}

function deferRecoveries(database: Database, runKey: number): () => RecoveryRecord[] {
  const rows = database.defer<{ at: number; data: string }>(recoveriesSql, runKey);
  return () =>
    rows().map(({ at, data }) => {
      const { by, from, reason } = JSON.parse(data) as Omit<RecoveryRecord, 'at'>;
      return { at, by, from, reason };
    });
}

function deferSpec(database: Database, runKey: number): () => SpecSource {
  const rows = database.defer<SpecRow>(specSql, runKey);
  return () => {
    const row = rows()[0]!;
    checkText(database, row.text, row.sha256);
    if (row.base_text !== null) checkText(database, row.base_text, row.base_sha256);
    return {
      text: row.text,
      hash: row.sha256,
      base: row.base_text ?? undefined,
      file: row.spec_file ?? undefined,
      document: row.spec_document,
    };
  };
}

/** Verifies the checksum of a source, because SQLite does not detect a flipped bit inside a value. */
function checkText(database: Database, text: string, sha256: string | null): void {
  if (hashSpec(text) === sha256) return;
  throw database.toDamageError('checksum mismatch in a stored workflow');
}

function deferSteps(database: Database, runKey: number): () => StepRecord[] {
  const attemptRows = database.defer<AttemptRow>(attemptsSql, runKey);
  const subRunRows = database.defer<SubRunRow>(subRunsSql, runKey);
  const readItems = deferItemSummaries(database, runKey);
  const readApprovals = deferRunApprovals(database, runKey);
  const stepRows = database.defer<StepRow>(stepsSql, runKey);
  return () => {
    const attempts = Map.groupBy(attemptRows(), nodeKey);
    const subRuns = Map.groupBy(
      subRunRows().sort((a, b) => a.key - b.key),
      nodeKey,
    );
    const items = readItems();
    const approvals = new Map(readApprovals().map((approval) => [nodeKey(approval.node), approval]));
    return stepRows().map((row) => {
      const key = nodeKey(row);
      const attemptRecords: AttemptRecord[] = (attempts.get(key) ?? []).map(toAttemptRecord);
      return toStepRecord(row, attemptRecords, {
        subRuns: (subRuns.get(key) ?? []).map((sub) => ({ name: sub.dag, dagRunId: sub.run_id })),
        items: items.get(key),
        approval: approvals.get(key),
      });
    });
  };
}

const nodeKey = (row: NodeId): string => `${row.section}/${row.name}`;

export const stepStatesSql = /* sql */ `
  SELECT section, name, CASE WHEN reset_at IS NULL THEN status ELSE 'not_started' END AS status FROM step WHERE run_key = ?`;

interface StateRow {
  readonly section: NodeId['section'];
  readonly name: string;
  readonly status: StepStatus;
}

export const listStepStates = (database: Database, runKeys: readonly number[]): StepState[] =>
  database.read(() =>
    runKeys.flatMap((runKey) =>
      database
        .all<StateRow>(stepStatesSql, runKey)
        .map(({ section, name, status }) => ({ runKey, node: { section, name }, status })),
    ),
  );

/**
 * Sub-runs are linked by name; a deleted one is left out. A sub-run whose host was lost before its name was recorded is
 * found by its parent.
 */
export const stepSubRunsSql = /* sql */ `
  ${selectRun} WHERE key IN (
    SELECT child.key FROM sub_run JOIN run child ON child.dag = sub_run.dag AND child.run_id = sub_run.run_id
    WHERE sub_run.run_key = ? AND sub_run.section = ? AND sub_run.name = ?
    UNION ALL SELECT key FROM run WHERE parent_key = ? AND parent_step = ?)`;

export const listStepSubRuns = (database: Database, runKey: number, node: NodeId): RunRecord[] =>
  database
    .all<RunRow>(stepSubRunsSql, runKey, node.section, node.name, runKey, node.name)
    .map(toRunRecord)
    .sort((left, right) => right.key - left.key);

/** The sub-runs of a run have it as their parent. */
export const childKeysSql = 'SELECT key FROM run WHERE parent_key = ? AND key > ? ORDER BY key LIMIT ?';

/** A walk over the tree: as many seeks as it has runs. */
const tree = /* sql */ `
  WITH RECURSIVE tree (key) AS (
    SELECT key FROM run WHERE parent_key = ?
    UNION ALL
    SELECT run.key FROM tree JOIN run ON run.parent_key = tree.key
  )`;
export const treeKeysSql = `${tree} SELECT key FROM tree WHERE key > ? ORDER BY key LIMIT ?`;
export const treeRunSql = `${tree} SELECT run.key FROM tree CROSS JOIN run ON run.key = tree.key WHERE run.run_id = ? LIMIT 1`;

export const listSubRuns = (
  database: Database,
  runKey: number,
  { isDeep, after = Number.MIN_SAFE_INTEGER, limit }: SubRunFilter,
): RunRecord[] =>
  database.read(() =>
    readRows(
      database,
      database.all<{ key: number }>(isDeep ? treeKeysSql : childKeysSql, runKey, after, limit),
    ),
  );

export const findSubRun = (database: Database, runKey: number, dagRunId: string): RunRecord | undefined =>
  database.read(() => readRows(database, database.all<{ key: number }>(treeRunSql, runKey, dagRunId))[0]);
