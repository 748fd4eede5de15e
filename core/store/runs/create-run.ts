import { createHash } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { activeRunStatuses, type RunOwner, type RunRecord, isFinal } from '../../model/run.ts';
import type { NewRun, ResumeVersion, RetryClaim } from '../types/runs.ts';
import { placeholdersFor, type Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';
import type { RunStates } from '../events/run-states.ts';
import { deferHost, ensureHost, saveBeat, setOwner } from '../hosts.ts';
import { claimFireTime } from '../fire-times.ts';
import { enqueue, assertNotDraining } from '../queue-changes.ts';
import { applyRunEvent } from '../events/apply-run-event.ts';
import { deferListeners } from '../webhooks/events.ts';
import { deferRun, findKeySql, readRun } from '../run-rows.ts';

const activeList = activeRunStatuses.map((status) => `'${status}'`).join(', ');

/** Counts the runs that `maxActiveRuns` limits: without sub-runs, which belong to their parent. */
export const countActiveSql = /* sql */ `
  SELECT count(*) AS active FROM run WHERE is_sub = 0 AND dag = ? AND status IN (${activeList})`;

const countActive = (database: Database, name: string): number =>
  database.get<{ active: number }>(countActiveSql, name)!.active;

type NewRunAt = NewRun & { readonly at: number };

export function createRun(database: Database, run: NewRun, at: number, states: RunStates): RunRecord {
  const record = database.writeParallel(() => {
    lockNames(database, [run]);
    return addRun(database, { ...run, at }, deferLookup(database, run));
  })();
  remember(states, run, record);
  return record;
}

/** Each run is added or rejected alone. */
export function createRuns(
  database: Database,
  runs: readonly NewRunAt[],
  states: RunStates,
): (RunRecord | AppError)[] {
  const isQueued = runs.some(({ waiting }) => waiting !== undefined);
  const added = isQueued ? addOneByOne(database, runs) : addTogether(database, runs);
  return added.map((outcome, index) => {
    if (outcome instanceof AppError) return outcome;
    const record = outcome();
    remember(states, runs[index]!, record);
    return record;
  });
}

/** The host that creates a run knows the state of its steps: none has started. */
function remember(states: RunStates, run: NewRun, { key, epoch, status }: RunRecord): void {
  if (run.owner !== undefined && run.waiting === undefined)
    states.set(key, { epoch, status, steps: new Map(), isWhole: true });
}

type AddedRun = (() => RunRecord) | AppError;

/** All that must be known is read at once. */
const addTogether = (database: Database, runs: readonly NewRunAt[]): AddedRun[] =>
  database.writeParallel(() => {
    lockNames(database, runs);
    const earlier: NewRunAt[] = [];
    const lookups = runs.map((run) => deferLookup(database, run));
    return runs.map((run, index) => {
      const added = attempt(database, () => addRun(database, run, lookups[index]!, earlier));
      if (!(added instanceof AppError)) earlier.push(run);
      return added;
    });
  });

/** The place in a queue depends on the runs before. */
const addOneByOne = (database: Database, runs: readonly NewRunAt[]): AddedRun[] =>
  database.write(() =>
    runs.map((run) => attempt(database, () => addRun(database, run, deferLookup(database, run)))),
  );

function attempt<Value>(database: Database, operation: () => Value): Value | AppError {
  try {
    return database.savepoint(operation);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Transactions that create a run with one of these ids, or count the runs of one of these names, take turns. */
function lockNames(database: Database, runs: readonly NewRun[]): void {
  const ids = runs.map(({ name, dagRunId }) => `run ${name}/${dagRunId}`);
  const counted = runs.filter((run) => run.singleton || isLimited(run));
  const workflows = counted.map(({ name }) => `workflow ${name}`);
  // In one order for all hosts, so that they do not wait for each other.
  for (const lock of [...ids.toSorted(), ...workflows.toSorted()]) database.lock(lock);
}

/**
 * Returns a function for the new run: after the commit it costs no statement of its own.
 * @param earlier runs that were added after the lookup
 */
function addRun(
  database: Database,
  run: NewRunAt,
  lookup: Lookup,
  earlier: readonly NewRun[] = [],
): () => RunRecord {
  const { at } = run;
  const sameName = earlier.filter(({ name }) => name === run.name);
  assertNewId(run, lookup.sameId().length > 0 || sameName.some(({ dagRunId }) => dagRunId === run.dagRunId));
  const active = lookup.countActive() + sameName.filter(({ parent }) => parent === undefined).length;
  if (run.singleton) assertNoActiveRun(run, active);
  assertBelowLimit(run, active);
  const queue = run.queue ?? run.name;
  if (run.waiting !== undefined) assertNotDraining(database, queue);
  const key = insertRun(database, run, lookup, at);
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
  return deferRun(database, key);
}

/** What must be known before a run is added. */
interface Lookup {
  readonly key: () => number | null;
  readonly sameId: () => object[];
  readonly countActive: () => number;
  readonly parent: () => ParentRow | undefined;
  readonly root: () => { readonly key: number } | undefined;
  readonly ownerKey: () => number | null;
  readonly specs: () => ReadonlyMap<string, number>;
}

interface ParentRow {
  readonly key: number;
  readonly owner_key: number | null;
}

export const parentSql = 'SELECT key, owner_key FROM run WHERE dag = ? AND run_id = ?';

/** Sends all questions with the first statement that needs an answer. */
function deferLookup(database: Database, run: NewRun): Lookup {
  const { parent, root, owner, spec } = run;
  const counted = run.singleton || isLimited(run);
  const active = counted ? database.defer<{ active: number }>(countActiveSql, run.name) : undefined;
  const parentRows = parent && database.defer<ParentRow>(parentSql, parent.name, parent.dagRunId);
  const rootRows = root && database.defer<{ key: number }>(findKeySql, root.name, root.dagRunId);
  deferListeners(database);
  return {
    key: database.deferKey('run'),
    sameId: database.defer(findKeySql, run.name, run.dagRunId),
    countActive: () => active?.()[0]!.active ?? 0,
    parent: () => parentRows?.()[0],
    root: () => rootRows?.()[0],
    ownerKey: owner === undefined ? () => null : deferHost(database, owner),
    specs: deferSpecs(database, [spec.text, ...(spec.base === undefined ? [] : [spec.base])]),
  };
}

function assertNewId(run: NewRun, isTaken: boolean): void {
  if (!isTaken) return;
  throw new AppError(
    'already_exists',
    `${run.name} already has a run with the ID ${run.dagRunId}. Choose another id.`,
    { details: { field: 'dagRunId' } },
  );
}

function assertNoActiveRun({ name }: NewRun, active: number): void {
  if (active === 0) return;
  throw new AppError(
    'still_running',
    `${name} already has ${active} active or queued ${active === 1 ? 'run' : 'runs'}. ` +
      'Wait for it to end, or stop it.',
    { details: { active } },
  );
}

/** Sub-runs belong to their parent, and count for no limit. */
const isLimited = ({ parent, maxActiveRuns }: Pick<NewRun, 'parent' | 'maxActiveRuns'>): boolean =>
  parent === undefined && maxActiveRuns >= 0;

/**
 * Checks the limit of active runs.
 * @throws `max_run_reached` when a top-level run of this name may not be active now
 */
function assertBelowLimit(
  { name, maxActiveRuns, parent }: Pick<NewRun, 'name' | 'maxActiveRuns' | 'parent'>,
  active: number,
): void {
  if (!isLimited({ parent, maxActiveRuns }) || active < maxActiveRuns) return;
  throw new AppError(
    'max_run_reached',
    `${name} has ${active} active or queued ${active === 1 ? 'run' : 'runs'}, and its maxActiveRuns is ${maxActiveRuns}. ` +
      'Wait for a run to end, stop or dequeue a run, or raise maxActiveRuns.',
    { details: { active, maxActiveRuns } },
  );
}

function insertRun(database: Database, run: NewRun, lookup: Lookup, at: number): number {
  const { parentKey, rootKey, ownerKey } = findRelatives(database, run, lookup, at);
  const { text, base } = run.spec;
  const specs = lookup.specs();
  const newKey = lookup.key();
  const inserted = database.run(
    /* sql */ `
    INSERT INTO run (key, dag, run_id, status, trigger, created_at, default_working_dir, spec_key, spec_document,
      spec_file, parent_key, parent_step, root_key, is_sub, params, epoch, owner_host, owner_pid,
      owner_pid_start, owner_boot_id, owner_key, base_key, queue, trace, only_steps, started_by, is_unsaved)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    newKey,
    run.name,
    run.dagRunId,
    run.waiting === undefined ? 'not_started' : 'queued',
    run.trigger,
    at,
    run.defaultWorkingDir ?? null,
    specs.get(hashSpec(text)) ?? addSpec(database, text),
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
    base === undefined ? null : (specs.get(hashSpec(base)) ?? addSpec(database, base)),
    run.parent === undefined ? (run.queue ?? run.name) : null,
    toJson(run.trace),
    toJson(run.onlySteps),
    run.startedBy ?? null,
    run.isUnsaved === true ? 1 : null,
  );
  return newKey ?? inserted.key;
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

function findRelatives(database: Database, run: NewRun, lookup: Lookup, at: number) {
  const parent = run.parent && requireRow(run.parent, lookup.parent());
  const parentKey = parent?.key ?? null;
  const rootKey = run.root === undefined ? null : requireRow(run.root, lookup.root()).key;
  const ownerKey = run.owner === undefined ? null : findOwnerKey(database, run.owner, lookup, at);
  if (parent !== undefined && ownerKey !== null) assertParentOwned(run, parent, ownerKey);
  return { parentKey, rootKey, ownerKey };
}

/** A run before this one may have added the host. */
function findOwnerKey(database: Database, owner: RunOwner, { ownerKey }: Lookup, at: number): number {
  const known = ownerKey();
  return known === null ? ensureHost(database, owner, at) : saveBeat(database, owner, known, at);
}

/** Rejects a sub-run from a host that has lost the parent: only the new host may start it. */
function assertParentOwned(run: NewRun, { owner_key: holder }: ParentRow, ownerKey: number): void {
  if (holder === null || holder === ownerKey) return;
  throw new AppError(
    'stale_owner',
    `Run ${run.parent!.dagRunId} of ${run.parent!.name} is now owned by another host, so sub-runs cannot be started here.`,
  );
}

function requireRow<FoundRow>(run: { name: string; dagRunId: string }, row: FoundRow | undefined): FoundRow {
  if (row !== undefined) return row;
  throw new AppError(
    'not_found',
    `Parent run ${run.name}/${run.dagRunId} not found. It may have been deleted.`,
  );
}

/** Looks for stored sources; returns the keys of known ones by their hashes. */
function deferSpecs(database: Database, texts: readonly string[]): () => ReadonlyMap<string, number> {
  const hashes = texts.map(hashSpec);
  const rows = database.defer<{ key: number; sha256: string }>(
    `SELECT key, sha256 FROM spec WHERE sha256 IN (${placeholdersFor(hashes)})`,
    ...hashes,
  );
  return () => new Map(rows().map(({ key, sha256 }) => [sha256, key] as const));
}

const findSpec = (database: Database, sha256: string): number | undefined =>
  database.get<{ key: number }>('SELECT key FROM spec WHERE sha256 = ?', sha256)?.key;

/** Returns the key of a stored source, storing it when it is new. Only inside a transaction. */
export const saveSpec = (database: Database, text: string): number =>
  findSpec(database, hashSpec(text)) ?? addSpec(database, text);

/** Another host may add the same source in this moment. */
function addSpec(database: Database, text: string): number {
  const sha256 = hashSpec(text);
  database.run('INSERT INTO spec (sha256, text) VALUES (?, ?) ON CONFLICT DO NOTHING', sha256, text);
  return findSpec(database, sha256)!;
}

/** Returns the SHA-256 of the source's UTF-8 bytes, in hexadecimal. */
export const hashSpec = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export function reopenRun(database: Database, options: RetryClaim, at: number): RunRecord {
  return database.write(() => {
    const run = requireUnchanged(database, options);
    const limit = { name: run.name, parent: run.parent, maxActiveRuns: options.maxActiveRuns };
    if (isLimited(limit)) assertBelowLimit(limit, countActive(database, run.name));
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
