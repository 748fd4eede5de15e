import { createHash } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { Wait } from '../../model/queue.ts';
import { activeRunStatuses, isFinal, type RunOwner, type RunRecord } from '../../model/run.ts';
import type { NewRun, ResumeVersion, RetryClaim } from '../types/runs.ts';
import { placeholdersFor, type Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';
import type { RunStates } from '../events/run-states.ts';
import { deferHost, hostId, saveBeat, setOwner } from '../hosts.ts';
import { claimFireTime } from '../fire-times.ts';
import { deferNotDraining, deferWait, enqueue } from '../queue-changes.ts';
import type { AddedItem } from '../queue-claims.ts';
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

export async function createRun(
  database: Database,
  run: NewRun,
  at: number,
  states: RunStates,
): Promise<RunRecord> {
  const [outcome] = await createRuns(database, [{ ...run, at }], states);
  if (outcome instanceof AppError) throw outcome;
  return outcome!;
}

/** Each run is added or rejected alone. */
export async function createRuns(
  database: Database,
  runs: readonly NewRunAt[],
  states: RunStates,
): Promise<(RunRecord | AppError)[]> {
  const added = await addTogether(database, runs);
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

/** All that must be known is read at once, before anything is written. */
const addTogether = (database: Database, runs: readonly NewRunAt[]): Promise<AddedRun[]> =>
  database.transact(() => {
    lockNames(database, runs);
    deferListeners(database);
    const lookups = runs.map((run) => deferLookup(database, run));
    const accepted: NewRunAt[] = [];
    const waits = runs.map((run, index) =>
      attempt(() => {
        const wait = accept(run, lookups[index]!, accepted);
        accepted.push(run);
        return wait;
      }),
    );
    const owners = new Map(
      accepted.flatMap(({ owner, at }) => (owner ? [[hostId(owner), { owner, at }]] : [])),
    );
    for (const { owner, at } of owners.values()) saveBeat(database, owner, findHost(database, owner)(), at);
    return runs.map((run, index) => {
      const wait = waits[index];
      if (wait instanceof AppError) return wait;
      return attempt(() => database.savepoint(() => addRun(database, run, lookups[index]!, wait)));
    });
  });

function attempt<Value>(operation: () => Value): Value | AppError {
  try {
    return operation();
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
  const queues = runs.filter(({ waiting }) => waiting !== undefined).map((run) => `queue ${queueOf(run)}`);
  // In one order for all hosts, so that they do not wait for each other.
  for (const lock of [...ids.toSorted(), ...workflows.toSorted(), ...queues.toSorted()]) database.lock(lock);
}

const queueOf = ({ queue, name }: Pick<NewRun, 'queue' | 'name'>): string => queue ?? name;

/**
 * Checks whether a run may be added; returns why it will wait, if it does.
 * @param earlier runs that are added before it, after the lookup
 */
function accept(run: NewRunAt, lookup: Lookup, earlier: readonly NewRun[]): Wait | undefined {
  const sameName = earlier.filter(({ name }) => name === run.name);
  assertNewId(run, lookup.sameId().length > 0 || sameName.some(({ dagRunId }) => dagRunId === run.dagRunId));
  const active = lookup.countActive() + sameName.filter(({ parent }) => parent === undefined).length;
  if (run.singleton) assertNoActiveRun(run, active);
  assertBelowLimit(run, active);
  lookup.assertNotDraining();
  return lookup.wait?.(earlier.flatMap(toAddedItem));
}

/** Returns a function for the new run: after the commit it costs no statement of its own. */
function addRun(database: Database, run: NewRunAt, lookup: Lookup, wait: Wait | undefined): () => RunRecord {
  const { at } = run;
  const key = insertRun(database, run, lookup, at);
  saveTags(database, key, run, at);
  if (run.fireTime !== undefined) claimFireTime(database, run.fireTime, key, at);
  if (run.waiting !== undefined && wait !== undefined)
    enqueue(database, key, { ...run.waiting, queue: queueOf(run), wait }, at);
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

const toAddedItem = ({ name, dagRunId, waiting, queue }: NewRun): AddedItem[] =>
  waiting === undefined
    ? []
    : [{ name, dagRunId, queue: queueOf({ name, queue }), priority: waiting.priority }];

/** What must be known before a run is added. */
interface Lookup {
  readonly key: () => number | null;
  readonly sameId: () => object[];
  readonly countActive: () => number;
  readonly assertNotDraining: () => void;
  readonly wait: ((added: readonly AddedItem[]) => Wait) | undefined;
  readonly parent: () => ParentRow | undefined;
  readonly root: () => { readonly key: number } | undefined;
  readonly ownerKey: () => number | null;
  readonly specs: () => ReadonlySet<string>;
}

interface ParentRow {
  readonly key: number;
  readonly owner_key: number | null;
}

export const parentSql = 'SELECT key, owner_key FROM run WHERE dag = ? AND run_id = ?';

/** Sends all questions with the first statement that needs an answer. */
function deferLookup(database: Database, run: NewRunAt): Lookup {
  const { parent, root, owner, spec, waiting, at } = run;
  const counted = run.singleton || isLimited(run);
  const active = counted ? database.defer<{ active: number }>(countActiveSql, run.name) : undefined;
  const parentRows = parent && database.defer<ParentRow>(parentSql, parent.name, parent.dagRunId);
  const rootRows = root && database.defer<{ key: number }>(findKeySql, root.name, root.dagRunId);
  return {
    key: database.deferKey('run'),
    sameId: database.defer(findKeySql, run.name, run.dagRunId),
    countActive: () => active?.()[0]!.active ?? 0,
    assertNotDraining: waiting === undefined ? () => {} : deferNotDraining(database, queueOf(run)),
    wait: waiting && deferWait(database, { ...waiting, queue: queueOf(run) }, at),
    parent: () => parentRows?.()[0],
    root: () => rootRows?.()[0],
    ownerKey: owner === undefined ? () => null : findHost(database, owner),
    specs: deferSpecs(database, [spec.text, ...(spec.base === undefined ? [] : [spec.base])]),
  };
}

/** Looks for the host once for all runs that it creates together. */
const findHost = (database: Database, owner: RunOwner): (() => number | null) =>
  database.readOnce(`found host ${hostId(owner)}`, () => deferHost(database, owner));

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
  const { parentKey, rootKey } = findRelatives(run, lookup);
  const { text, base } = run.spec;
  for (const each of new Set(base === undefined ? [text] : [text, base]))
    if (!lookup.specs().has(hashSpec(each))) addSpec(database, each);
  const newKey = lookup.key();
  const inserted = database.run(
    /* sql */ `
    INSERT INTO run (key, dag, run_id, status, trigger, created_at, default_working_dir, spec_key, spec_document,
      spec_file, parent_key, parent_step, root_key, is_sub, params, epoch, owner_host, owner_pid,
      owner_pid_start, owner_boot_id, owner_key, base_key, queue, trace, only_steps, started_by, is_unsaved)
    VALUES (?, ?, ?, ?, ?, ?, ?, (${specKeySql}), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
      (SELECT key FROM host WHERE id = ?), (${specKeySql}), ?, ?, ?, ?, ?)`,
    newKey,
    run.name,
    run.dagRunId,
    run.waiting === undefined ? 'not_started' : 'queued',
    run.trigger,
    at,
    run.defaultWorkingDir ?? null,
    hashSpec(text),
    run.spec.document,
    run.spec.file ?? null,
    parentKey,
    run.parent?.step ?? null,
    rootKey,
    parentKey === null ? 0 : 1,
    JSON.stringify(run.params),
    run.owner === undefined ? 0 : 1,
    ...(['host', 'pid', 'pidStart', 'bootId'] as const).map((field) => run.owner?.[field] ?? null),
    run.owner === undefined ? null : hostId(run.owner),
    base === undefined ? null : hashSpec(base),
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

function findRelatives(run: NewRun, lookup: Lookup) {
  const parent = run.parent && requireRow(run.parent, lookup.parent());
  const parentKey = parent?.key ?? null;
  const rootKey = run.root === undefined ? null : requireRow(run.root, lookup.root()).key;
  if (run.owner !== undefined && parent !== undefined) assertParentOwned(run, parent, lookup.ownerKey());
  return { parentKey, rootKey };
}

/** Rejects a sub-run from a host that has lost the parent: only the new host may start it. */
function assertParentOwned(run: NewRun, { owner_key: holder }: ParentRow, ownerKey: number | null): void {
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

/** Looks for stored sources, once for all runs of the same ones; returns the hashes of known ones. */
function deferSpecs(database: Database, texts: readonly string[]): () => ReadonlySet<string> {
  const hashes = texts.map(hashSpec);
  const rows = database.readOnce(`specs ${hashes.join()}`, () =>
    database.defer<{ sha256: string }>(
      `SELECT sha256 FROM spec WHERE sha256 IN (${placeholdersFor(hashes)}) ORDER BY sha256`,
      ...hashes,
    ),
  );
  return () => new Set(rows().map(({ sha256 }) => sha256));
}

const specKeySql = 'SELECT key FROM spec WHERE sha256 = ?';

const findSpec = (database: Database, sha256: string): number | undefined =>
  database.get<{ key: number }>(specKeySql, sha256)?.key;

/** Returns the key of a stored source, storing it when it is new. Only inside a transaction. */
export function saveSpec(database: Database, text: string): number {
  const known = findSpec(database, hashSpec(text));
  if (known !== undefined) return known;
  addSpec(database, text);
  return findSpec(database, hashSpec(text))!;
}

/** Another host may add the same source in this moment. */
const addSpec = (database: Database, text: string): void =>
  void database.run(
    'INSERT INTO spec (sha256, text) VALUES (?, ?) ON CONFLICT DO NOTHING',
    hashSpec(text),
    text,
  );

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
