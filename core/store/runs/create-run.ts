import { createHash } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { activeRunStatuses, type RunRecord, isFinal } from '../../model/run.ts';
import type { NewRun, ResumeVersion, RetryClaim } from '../types/runs.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';
import { ensureHost } from '../hosts.ts';
import { claimFireTime } from '../fire-times.ts';
import { enqueue, assertNotDraining } from '../queue-changes.ts';
import { applyRunEvent } from '../events/apply-run-event.ts';
import { findRunKey, readRun } from './rows.ts';
import { setOwner } from './owner.ts';

const activeList = activeRunStatuses.map((status) => `'${status}'`).join(', ');

/** Counts the runs that `maxActiveRuns` limits: without sub-runs, which belong to their parent. */
export const countActiveSql = /* sql */ `
  SELECT count(*) AS active FROM run WHERE is_sub = 0 AND dag = ? AND status IN (${activeList})`;

export const ownerKeySql = 'SELECT owner_key FROM run WHERE key = ?';

export const createRun = (database: Database, run: NewRun, at: number): RunRecord =>
  database.write(() => addRun(database, run, at));

export const createRuns = (
  database: Database,
  runs: readonly (NewRun & { readonly at: number })[],
): (RunRecord | AppError)[] =>
  database.write(() =>
    runs.map((run) => {
      try {
        return database.savepoint(() => addRun(database, run, run.at));
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    }),
  );

function addRun(database: Database, run: NewRun, at: number): RunRecord {
  assertNewId(database, run);
  if (run.singleton) assertNoActiveRun(database, run);
  if (run.parent === undefined) assertBelowLimit(database, run);
  const queue = run.queue ?? run.name;
  if (run.waiting !== undefined) assertNotDraining(database, queue);
  const key = insertRun(database, run, at);
  saveTags(database, key, run, at);
  if (run.fireTime !== undefined) claimFireTime(database, run.fireTime, key, at);
  const wait = run.waiting && enqueue(database, key, { ...run.waiting, queue }, at);
  const { trigger, params, startedBy: by } = run;
  insertEvent(database, key, at, {
    type: 'run.created',
    trigger,
    ...(by !== undefined && { by }),
    params,
    ...(wait && { wait }),
  });
  return readRun(database, key)!;
}

function assertNewId(database: Database, run: NewRun): void {
  if (findRunKey(database, run) === undefined) return;
  throw new AppError(
    'already_exists',
    `${run.name} already has a run with the ID ${run.dagRunId}. Choose another id.`,
    { details: { field: 'dagRunId' } },
  );
}

function assertNoActiveRun(database: Database, { name }: NewRun): void {
  const { active } = database.get<{ active: number }>(countActiveSql, name)!;
  if (active === 0) return;
  throw new AppError(
    'still_running',
    `${name} already has ${active} active or queued ${active === 1 ? 'run' : 'runs'}. ` +
      'Wait for it to end, or stop it.',
    { details: { active } },
  );
}

/**
 * Checks the limit of active runs.
 * @throws `max_run_reached` when a top-level run of this name may not be active now
 */
function assertBelowLimit(
  database: Database,
  { name, maxActiveRuns }: Pick<NewRun, 'name' | 'maxActiveRuns'>,
): void {
  if (maxActiveRuns < 0) return;
  const { active } = database.get<{ active: number }>(countActiveSql, name)!;
  if (active < maxActiveRuns) return;
  throw new AppError(
    'max_run_reached',
    `${name} has ${active} active or queued ${active === 1 ? 'run' : 'runs'}, and its maxActiveRuns is ${maxActiveRuns}. ` +
      'Wait for a run to end, stop or dequeue a run, or raise maxActiveRuns.',
    { details: { active, maxActiveRuns } },
  );
}

function insertRun(database: Database, run: NewRun, at: number): number {
  const { parentKey, rootKey, ownerKey } = findRelatives(database, run, at);
  const { key } = database.run(
    /* sql */ `
    INSERT INTO run (dag, run_id, status, trigger, created_at, default_working_dir, spec_key, spec_document,
      spec_file, parent_key, parent_step, root_key, is_sub, params, epoch, owner_host, owner_pid,
      owner_pid_start, owner_boot_id, owner_key, base_key, queue, trace, only_steps, started_by, is_unsaved)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    run.name,
    run.dagRunId,
    run.waiting === undefined ? 'not_started' : 'queued',
    run.trigger,
    at,
    run.defaultWorkingDir ?? null,
    saveSpec(database, run.spec.text),
    run.spec.document,
    run.spec.file ?? null,
    parentKey,
    run.parent?.step ?? null,
    rootKey,
    parentKey === null ? 0 : 1,
    JSON.stringify(run.params),
    run.owner === undefined ? 0 : 1,
    ...(['host', 'pid', 'pidStart', 'bootId'] as const).map((field) => run.owner?.[field] ?? null),
    ownerKey,
    run.spec.base === undefined ? null : saveSpec(database, run.spec.base),
    run.parent === undefined ? (run.queue ?? run.name) : null,
    toJson(run.trace),
    toJson(run.onlySteps),
    run.startedBy ?? null,
    run.isUnsaved === true ? 1 : null,
  );
  return key;
}

function saveTags(database: Database, key: number, { tags = [], parent }: NewRun, at: number): void {
  for (const tag of new Set(tags))
    database.run(
      'INSERT INTO run_tag (run_key, tag, is_sub, created_at) VALUES (?, ?, ?, ?)',
      key,
      tag,
      parent === undefined ? 0 : 1,
      at,
    );
}

const toJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

function findRelatives(database: Database, run: NewRun, at: number) {
  const parentKey = run.parent === undefined ? null : requireKey(database, run.parent);
  const rootKey = run.root === undefined ? null : requireKey(database, run.root);
  const ownerKey = run.owner === undefined ? null : ensureHost(database, run.owner, at);
  if (parentKey !== null && ownerKey !== null) assertParentOwned(database, run, parentKey, ownerKey);
  return { parentKey, rootKey, ownerKey };
}

/** Rejects a sub-run from a host that has lost the parent: only the new host may start it. */
function assertParentOwned(database: Database, run: NewRun, parentKey: number, ownerKey: number): void {
  const { owner_key: holder } = database.get<{ owner_key: number | null }>(ownerKeySql, parentKey)!;
  if (holder === null || holder === ownerKey) return;
  throw new AppError(
    'stale_owner',
    `Run ${run.parent!.dagRunId} of ${run.parent!.name} is now owned by another host, so sub-runs cannot be started here.`,
  );
}

function requireKey(database: Database, run: { name: string; dagRunId: string }): number {
  const key = findRunKey(database, run);
  if (key !== undefined) return key;
  throw new AppError(
    'not_found',
    `Parent run ${run.name}/${run.dagRunId} not found. It may have been deleted.`,
  );
}

/** Returns the key of a stored source, storing it when it is new. Only inside a transaction. */
export function saveSpec(database: Database, text: string): number {
  const sha256 = hashSpec(text);
  const known = database.get<{ key: number }>('SELECT key FROM spec WHERE sha256 = ?', sha256);
  return known?.key ?? database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', sha256, text).key;
}

/** Returns the SHA-256 of the source's UTF-8 bytes, in hexadecimal. */
export const hashSpec = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export function reopenRun(database: Database, options: RetryClaim, at: number): RunRecord {
  return database.write(() => {
    const run = requireUnchanged(database, options);
    if (run.parent === undefined)
      assertBelowLimit(database, { name: run.name, maxActiveRuns: options.maxActiveRuns });
    const { by, steps, from, onlyThisStep, version } = options;
    const resumed = version && { specHash: hashSpec(version.spec.text), fresh: version.fresh };
    const event = { type: 'run.retried', by, steps, from, alone: onlyThisStep, ...resumed } as const;
    if (version !== undefined) setVersion(database, run, version);
    applyRunEvent(database, { runKey: run.key, status: run.status }, at, event);
    setOwner(database, run, options.owner, at);
    if (options.trace !== undefined)
      database.run('UPDATE run SET trace = ? WHERE key = ?', JSON.stringify(options.trace), run.key);
    insertEvent(database, run.key, at, event);
    return readRun(database, run.key)!;
  });
}

/** Gives a run another text; its attempts so far keep the text that they ran. */
function setVersion(
  database: Database,
  { key, params: oldParams, onlySteps: oldSteps }: RunRecord,
  { spec, params = oldParams, onlySteps = oldSteps }: ResumeVersion,
): void {
  const specKey = saveSpec(database, spec.text);
  database.run(
    /* sql */ `
    UPDATE attempt SET spec_key = (SELECT spec_key FROM run WHERE key = ?)
    WHERE run_key = ? AND spec_key IS NULL AND ? <> (SELECT spec_key FROM run WHERE key = ?)`,
    key,
    key,
    specKey,
    key,
  );
  database.run(
    /* sql */ `
    UPDATE run SET spec_key = ?, base_key = ?, spec_document = ?, params = ?, only_steps = ? WHERE key = ?`,
    specKey,
    spec.base === undefined ? null : saveSpec(database, spec.base),
    spec.document,
    JSON.stringify(params),
    toJson(onlySteps),
    key,
  );
}

/** Returns the run if it is unchanged since the retry was planned. */
function requireUnchanged(database: Database, { runKey, epoch }: RetryClaim): RunRecord {
  const run = readRun(database, runKey);
  if (run === undefined) throw new AppError('not_found', `Run with key ${runKey} not found.`);
  if (!isFinal(run.status)) {
    throw new AppError(
      'still_running',
      `Run ${run.dagRunId} of ${run.name} is ${run.status}. Wait for it to end or stop it, then retry.`,
    );
  }
  if (run.epoch !== epoch) {
    throw new AppError(
      'stale_owner',
      `Run ${run.dagRunId} of ${run.name} was retried or changed in the meantime. Reload it and try again.`,
    );
  }
  return run;
}
