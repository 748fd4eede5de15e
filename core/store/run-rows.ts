import type { JsonValue } from '../base/json.ts';
import type { NodeId, RunEndCause, Trigger } from '../model/run-event.ts';
import type {
  AttemptRecord,
  ItemRecord,
  ItemStatus,
  RunOwner,
  RunRecord,
  RunRef,
  StepRecord,
  WorkerAssignment,
  RunTrace,
  RunStatus,
  StepStatus,
} from '../model/run.ts';
import type { Parameter } from '../model/workflow.ts';
import type { Database } from './database/database.ts';

/** A row of `selectRun`, and of `selectRunWithOutputs` when it has `outputs`. */
export interface RunRow {
  readonly key: number;
  readonly dag: string;
  readonly run_id: string;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  readonly started_by: string | null;
  readonly params: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly error: string | null;
  readonly cause: RunEndCause | null;
  readonly outputs?: string;
  readonly log_dir: string;
  readonly default_working_dir: string | null;
  readonly parent_dag: string | null;
  readonly parent_run_id: string | null;
  readonly parent_step: string | null;
  readonly root_dag: string | null;
  readonly root_run_id: string | null;
  readonly owner_host: string | null;
  readonly owner_pid: number | null;
  readonly owner_pid_start: string | null;
  readonly owner_boot_id: string | null;
  readonly epoch: number;
  readonly stop_requested_by: string | null;
  readonly trace: string | null;
  readonly only_steps: string | null;
  readonly is_unsaved: number | null;
  readonly peak_cpu: number | null;
  readonly peak_memory: number | null;
  readonly note_excerpt: string | null;
}

/** Characters of a note in lists. */
const excerptLength = 200;

/** Subqueries instead of joins: a statement that joins `run` to itself takes ten times as long to prepare. */
const runColumns = /* sql */ `
  key, dag, run_id, status, trigger, started_by, params, created_at, started_at, finished_at, error, cause, log_dir,
  default_working_dir, parent_step, epoch, owner_host, owner_pid, owner_pid_start, owner_boot_id, stop_requested_by,
  trace, only_steps, is_unsaved, peak_cpu, peak_memory,
  (SELECT substr(text, 1, ${excerptLength}) FROM run_note WHERE run_key = run.key) AS note_excerpt,
  (SELECT parent.dag FROM run parent WHERE parent.key = run.parent_key) AS parent_dag,
  (SELECT parent.run_id FROM run parent WHERE parent.key = run.parent_key) AS parent_run_id,
  (SELECT root.dag FROM run root WHERE root.key = run.root_key) AS root_dag,
  (SELECT root.run_id FROM run root WHERE root.key = run.root_key) AS root_run_id`;

/** Starts a query of `RunRow`s for lists; needs a WHERE clause. */
export const selectRun = `SELECT ${runColumns} FROM run`;
/** Starts a query of `RunRow`s with `outputs`, which may be megabytes. */
const selectRunWithOutputs = `SELECT ${runColumns}, outputs FROM run`;

/** Converts a row to a run; without `outputs` in the row they are empty. */
export function toRunRecord(row: RunRow): RunRecord {
  const parent = toRef(row.parent_dag, row.parent_run_id);
  return {
    key: row.key,
    name: row.dag,
    dagRunId: row.run_id,
    status: row.status,
    trigger: row.trigger,
    startedBy: row.started_by ?? undefined,
    params: JSON.parse(row.params) as Parameter[],
    onlySteps: row.only_steps === null ? undefined : (JSON.parse(row.only_steps) as string[]),
    isUnsaved: row.is_unsaved === 1 || undefined,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    error: row.error ?? undefined,
    cause: row.cause ?? undefined,
    outputs: row.outputs === undefined ? {} : (JSON.parse(row.outputs) as Record<string, JsonValue>),
    logDir: row.log_dir,
    defaultWorkingDir: row.default_working_dir ?? undefined,
    parent: parent === undefined ? undefined : { ...parent, step: row.parent_step ?? '' },
    root: toRef(row.root_dag, row.root_run_id),
    owner: toOwner(row),
    epoch: row.epoch,
    stopRequestedBy: row.stop_requested_by ?? undefined,
    trace: row.trace === null ? undefined : (JSON.parse(row.trace) as RunTrace),
    peakUsage:
      row.peak_cpu === null || row.peak_memory === null
        ? undefined
        : { cpu: row.peak_cpu, memory: row.peak_memory },
    noteExcerpt: row.note_excerpt ?? undefined,
  };
}

const toRef = (dag: string | null, runId: string | null): RunRef | undefined =>
  dag === null || runId === null ? undefined : { name: dag, dagRunId: runId };

/** Converts the owner's columns. */
export function toOwner(
  row: Pick<RunRow, 'owner_host' | 'owner_pid' | 'owner_pid_start' | 'owner_boot_id'>,
): RunOwner | undefined {
  if (row.owner_host === null || row.owner_pid === null) return undefined;
  return {
    host: row.owner_host,
    pid: row.owner_pid,
    pidStart: row.owner_pid_start ?? '',
    bootId: row.owner_boot_id ?? '',
  };
}

/** How one attempt of a step, or the step as a whole, ended. */
interface EndColumns {
  readonly finished_at: number | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly error: string | null;
}

/** A row of the table `step`. */
export interface StepRow extends EndColumns {
  readonly section: NodeId['section'];
  readonly name: string;
  readonly status: StepStatus;
  readonly started_at: number | null;
  readonly output_name: string | null;
  readonly output_value: string | null;
  /** While it is set the step counts as not started. */
  readonly reset_at: number | null;
}

/** The worker of an attempt or an item; all columns or none. */
interface WorkerColumns {
  readonly worker: string | null;
  readonly worker_host: string | null;
  readonly handed_at: number | null;
}

/** A row of the table `attempt`. */
export interface AttemptRow extends EndColumns, WorkerColumns {
  readonly section: NodeId['section'];
  readonly name: string;
  readonly attempt: number;
  readonly dir: string;
  readonly started_at: number;
  readonly pid: number | null;
  readonly pid_start: string | null;
  readonly waiting: string | null;
  /** SHA-256 of the text that it ran, if that is not the text of its run. */
  readonly spec_hash?: string | null;
}

/** A row of the table `step_item`. */
export interface ItemRow extends EndColumns, WorkerColumns {
  readonly item: number;
  readonly value: string;
  readonly dir: string;
  readonly status: ItemStatus;
  readonly started_at: number;
  readonly dag: string | null;
  readonly run_id: string | null;
}

const toEnd = (row: EndColumns) => ({
  finishedAt: row.finished_at ?? undefined,
  exitCode: row.exit_code ?? undefined,
  signal: row.signal ?? undefined,
  error: row.error ?? undefined,
});

/** Converts a row to an attempt. */
export const toAttemptRecord = (row: AttemptRow): AttemptRecord => ({
  node: { section: row.section, name: row.name },
  attempt: row.attempt,
  dir: row.dir,
  startedAt: row.started_at,
  ...toEnd(row),
  pid: row.pid ?? undefined,
  pidStart: row.pid_start ?? undefined,
  waiting: row.waiting ?? undefined,
  specHash: row.spec_hash ?? undefined,
  worker: toWorkerAssignment(row),
});

function toWorkerAssignment({ worker, worker_host, handed_at }: WorkerColumns): WorkerAssignment | undefined {
  if (worker === null || handed_at === null) return undefined;
  return { id: worker, host: worker_host ?? worker, since: handed_at };
}

/** Converts a row to a step, with data of other tables. */
export const toStepRecord = (
  row: StepRow,
  attempts: readonly AttemptRecord[],
  { subRuns, items, approval }: Pick<StepRecord, 'subRuns' | 'items' | 'approval'>,
): StepRecord => ({
  node: { section: row.section, name: row.name },
  status: row.reset_at === null ? row.status : 'not_started',
  attempts,
  startedAt: row.started_at ?? undefined,
  ...toEnd(row),
  output:
    row.output_name === null || row.output_value === null
      ? undefined
      : { name: row.output_name, value: JSON.parse(row.output_value) as JsonValue },
  subRuns,
  items,
  approval,
});

/** Converts a row to an item. */
export const toItemRecord = (row: ItemRow): ItemRecord => ({
  item: row.item,
  value: row.value,
  dir: row.dir,
  status: row.status,
  startedAt: row.started_at,
  ...toEnd(row),
  worker: toWorkerAssignment(row),
  subRun: toRef(row.dag, row.run_id),
});

export const findKeySql = 'SELECT key FROM run WHERE dag = ? AND run_id = ?';
export const readRunSql = `${selectRunWithOutputs} WHERE key = ?`;

/** Returns the key of an existing run. */
export const findRunKey = (database: Database, run: RunRef): number | undefined =>
  database.get<{ key: number }>(findKeySql, run.name, run.dagRunId)?.key;

/** Reads a run with the next statement, outputs included. */
export function deferRun(database: Database, key: number): () => RunRecord {
  const rows = database.defer<RunRow>(readRunSql, key);
  return () => toRunRecord(rows()[0]!);
}

/** Returns a run by its key, outputs included. */
export function readRun(database: Database, key: number): RunRecord | undefined {
  const row = database.get<RunRow>(readRunSql, key);
  return row === undefined ? undefined : toRunRecord(row);
}

export const findRunSql = `${selectRunWithOutputs} WHERE dag = ? AND run_id = ?`;

export function findRun(database: Database, run: RunRef): RunRecord | undefined {
  const row = database.get<RunRow>(findRunSql, run.name, run.dagRunId);
  return row === undefined ? undefined : toRunRecord(row);
}
