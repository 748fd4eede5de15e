import { getErrorMessage, fieldError, runNotFoundError } from '../../base/errors.ts';
import { latestRunId } from '../../base/ids.ts';
import type { OperationInput, OperationOutput } from '../../contract/operations.ts';
import { type RunDetail, type RunRef, isFinal, maxNoteLength } from '../../model/run.ts';
import type { PurgedRun, RunSearch, RunVersion } from '../../store/types/runs.ts';
import type { StepSelectionOptions } from '../../run/read-partial-run.ts';
import { findLogFolder, removeRunLogs } from '../../store/run-logs.ts';
import type { RerunPlanView } from '../../contract/runs.ts';
import type { RetryOptions, RetryPlan } from '../../run/recovery/reruns.ts';
import type { EngineContext } from '../engine-context.ts';
import { toMissedView, toNoteView, toRunDetail, toRunSummary } from '../views.ts';
import {
  parseRunCursor,
  toRunCursor,
  inlineSource,
  getOrigin,
  type HandlersFor,
  parseTimestamp,
  getTrigger,
} from './handlers.ts';

const defaultPageSize = 50;

type RunOperation =
  | 'runs.list'
  | 'runs.listOf'
  | 'runs.count'
  | 'runs.get'
  | 'runs.stop'
  | 'runs.setNote'
  | 'runs.start'
  | 'runs.delete'
  | 'runs.deleteAll';

/** Operations on runs. */
export const runHandlers: HandlersFor<RunOperation> = {
  'runs.list': listRuns,
  'runs.listOf': listRuns,
  'runs.count': (input, { store, clock }) => store.countRuns(toRunSearch(input, clock.now())),
  'runs.get': getRun,
  'runs.stop': async (input, { store, clock, hub }, caller) => {
    await store.requestStop(input, caller.name, clock.now(), input.force);
    hub.pump();
    return { name: input.name, dagRunId: input.dagRunId };
  },
  'runs.setNote': async ({ text, ...ref }, context, caller) => {
    if (text.length > maxNoteLength)
      throw fieldError('text', `must have at most ${maxNoteLength.toLocaleString('en')} characters`);
    const { key, name, dagRunId } = (await requireRun(context, ref)).run;
    const edit = { runKey: key, text: text.trim() === '' ? '' : text, by: caller.name };
    const note = await context.store.setNote(edit, context.clock.now());
    context.hub.pump();
    return { name, dagRunId, note: note && toNoteView(note) };
  },
  'runs.start': ({ spec, base, fileName, steps, upTo, outputsFrom, ...options }, context, caller) =>
    context.startRun({
      ...options,
      source: inlineSource(spec, base, fileName),
      part: toStepSelection({ steps, upTo, outputsFrom }),
      ...getOrigin(caller),
      trace: caller.trace,
    }),
  'runs.delete': async ({ name, dagRunId }, context) => {
    const removed = await context.store.deleteRun({ name, dagRunId });
    return { removed: removed.length, errors: await removeLogs(removed, context) };
  },
  'runs.deleteAll': async ({ name }, context) => {
    const errors: string[] = [];
    let removed = 0;
    for (;;) {
      const purged = await context.store.purgeRuns(name, {});
      if (purged.length === 0) return { removed, errors };
      removed += purged.length;
      errors.push(...(await removeLogs(purged, context)));
    }
  },
};

/** Deletes the logs of deleted runs. Returns which could not be deleted, and why. */
async function removeLogs(
  runs: readonly PurgedRun[],
  { paths, removeRemoteData }: EngineContext,
): Promise<string[]> {
  const errors: string[] = [];
  for (const run of runs) {
    await removeRunLogs(paths.home, run, removeRemoteData).catch((error: unknown) => {
      errors.push(`${findLogFolder(paths.home, run) ?? run.logDir}: ${getErrorMessage(error)}`);
    });
  }
  return errors;
}

/**
 * Returns the part of the workflow to run; undefined for all of it.
 * @throws `bad_request`
 */
function toStepSelection({
  steps,
  upTo,
  outputsFrom,
}: Pick<OperationInput<'runs.start'>, 'steps' | 'upTo' | 'outputsFrom'>): StepSelectionOptions | undefined {
  if (steps !== undefined && upTo === undefined) return { selection: { steps }, outputsFrom };
  if (outputsFrom !== undefined)
    throw fieldError('outputsFrom', 'requires "steps" and cannot be combined with "upTo"');
  if (steps !== undefined) throw fieldError('upTo', 'cannot be combined with "steps"');
  return upTo === undefined ? undefined : { selection: { upTo } };
}

function listRuns(
  input: OperationInput<'runs.list'>,
  context: EngineContext,
): Promise<OperationOutput<'runs.list'>> {
  const { store, lists, clock } = context;
  return lists.answer(
    `runs.list ${JSON.stringify(input)}`,
    [store.commitRevision()],
    clock.now(),
    async () => {
      const list = await findRuns(input, context);
      // The reason why a run waits depends on more than the stored data.
      const waits = list.dagRuns.some(({ status }) => status === 'queued');
      const isTimed = input.minDuration !== undefined || input.maxDuration !== undefined;
      return { list, until: waits || isTimed ? undefined : Infinity };
    },
  );
}

async function findRuns(
  input: OperationInput<'runs.list'>,
  { store, expectations, queues, clock }: EngineContext,
): Promise<OperationOutput<'runs.list'>> {
  const { limit = defaultPageSize, cursor } = input;
  const search = toRunSearch(input, clock.now());
  const { runs, next } = await store.searchRuns({ ...search, after: parseRunCursor(cursor), limit });
  const nextCursor = next === undefined ? undefined : toRunCursor(next);
  const firstCreated = Math.min(...runs.map(({ createdAt }) => createdAt));
  const missed = Map.groupBy(
    runs.length === 0 ? [] : await expectations.listMissedRunsSince(firstCreated),
    ({ name, dagRunId }) => `${name}/${dagRunId}`,
  );
  return {
    dagRuns: await Promise.all(
      runs.map(async (run) => ({
        ...(await toRunSummary(run, queues)),
        missed: missed.get(`${run.name}/${run.dagRunId}`)?.map(toMissedView),
      })),
    ),
    nextCursor,
  };
}

/** @throws `bad_request` */
function toRunSearch(input: OperationInput<'runs.count'>, now: number): Omit<RunSearch, 'limit' | 'after'> {
  const { name, nameContains, dagRunId, status, subRuns } = input;
  return {
    name,
    nameContains,
    dagRunId,
    statuses: status,
    // Normalized as in workflows.
    tags: input.tags?.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== ''),
    topLevelOnly: subRuns !== true,
    createdFrom: parseTimestamp('fromDate', input.fromDate),
    createdBefore: parseTimestamp('toDate', input.toDate),
    triggers: input.trigger,
    startedBy: input.startedBy,
    queue: input.queue,
    text: input.text,
    hasNote: input.hasNote,
    duration: readDuration(input, now),
  };
}

/** Converts seconds to milliseconds. */
function readDuration(
  { minDuration, maxDuration }: OperationInput<'runs.count'>,
  now: number,
): RunSearch['duration'] {
  if (minDuration === undefined && maxDuration === undefined) return undefined;
  return {
    now,
    ...(minDuration !== undefined && { min: minDuration * 1000 }),
    ...(maxDuration !== undefined && { max: maxDuration * 1000 }),
  };
}

/** Returns a run. The view is cached until the run changes, because clients request it repeatedly. */
async function getRun(run: RunRef, context: EngineContext): Promise<OperationOutput<'runs.get'>> {
  const { store, pictures } = context;
  // Read before the view is built: the view may then be newer than its version key, but never older.
  const version = await store.findVersion(run);
  const versionKey = version && (await getVersionKey(version, context));
  if (version === undefined || versionKey === undefined)
    return viewRun(context, await requireRun(context, run));
  const known = pictures.find(version.key, versionKey);
  if (known !== undefined) return known;
  const view = await viewRun(context, await requireRun(context, run));
  pictures.set(version.key, versionKey, view);
  return view;
}

/**
 * Returns a key of everything that a view depends on: each change of a run is an event. Undefined for a queued run,
 * whose reason for waiting depends on other runs.
 */
async function getVersionKey(
  { key, status, eventId }: RunVersion,
  { store, watch, health }: EngineContext,
): Promise<string | undefined> {
  if (status === 'queued') return undefined;
  const host = isFinal(status) ? undefined : await store.findRunHost(key);
  const hostState = host ? [host.key, host.beatAt, watch.findExpiry(host)] : [];
  return [eventId, ...hostState, ...health.problems.map(({ code }) => code)].join(' ');
}

/** Converts a run to its detail view. */
export async function viewRun(
  context: EngineContext,
  detail: RunDetail,
): Promise<OperationOutput<'runs.get'>> {
  const { storedWorkflows, paths, watch, queues, active, health } = context;
  const workflow = await storedWorkflows.find(detail.run, detail.spec);
  const waiting = active.find(detail.run) === undefined ? undefined : health.problems[0]?.message;
  return toRunDetail(detail, workflow, { home: paths.home, watch, queues, waiting });
}

/**
 * Returns a run with its steps; the id `latest` means the newest run of the workflow.
 * @throws `not_found`
 */
export async function requireRun({ store }: Pick<EngineContext, 'store'>, run: RunRef): Promise<RunDetail> {
  const resolved = run.dagRunId === latestRunId ? await store.latestRun(run.name) : run;
  const detail = resolved === undefined ? undefined : await store.getDetail(resolved);
  if (detail !== undefined) return detail;
  throw runNotFoundError(run);
}

/** Operations that run something again. */
export const rerunHandlers: HandlersFor<
  'runs.retryPlan' | 'runs.retry' | 'runs.reschedule' | 'runs.restart'
> = {
  'runs.retryPlan': async (input, { reruns }) =>
    toPlanView(await reruns.planRetry(input, toRerunOptions(input))),
  'runs.retry': async (input, { reruns }, { name: by, trace }) => {
    const { name, dagRunId, plan } = await reruns.retry(input, toRerunOptions(input), { by, trace });
    return { name, dagRunId, plan: toPlanView(plan) };
  },
  'runs.reschedule': ({ name, fromRunId, dagName, singleton = true, ...options }, context, caller) =>
    context.startRun({
      ...options,
      source: { run: { name, dagRunId: fromRunId } },
      ...getOrigin(caller),
      name: dagName,
      singleton,
      trace: caller.trace,
    }),
  'runs.restart': (input, { reruns }, caller) =>
    reruns.restart(input, caller.name, getTrigger(caller), caller.trace),
};

type RetryInput = OperationInput<'runs.retry'>;

/** @throws `bad_request` for both ways to name the first step */
function toRerunOptions({ stepName, downstream, from, spec, acceptRemoved }: RetryInput): RetryOptions {
  if (from === undefined) return { step: stepName, downstream, spec, acceptRemoved };
  if (stepName !== undefined || downstream === false)
    throw fieldError('from', 'from cannot be used together with stepName or downstream.');
  return { step: from, downstream: true, spec, acceptRemoved };
}

const toPlanView = ({ steps, handlers, spec, file, lost }: RetryPlan): RerunPlanView => ({
  steps: steps.map((step) => ({ ...step })),
  handlers: [...handlers],
  spec,
  file: file?.state && { state: file.state, problem: file.problem },
  lost: lost.map((step) => ({ ...step })),
});

/** Dry run operations. */
export const dryHandlers: HandlersFor<'dags.dry' | 'runs.dry'> = {
  'dags.dry': ({ fileName, dagName, ...options }, { dryRun }) =>
    dryRun({ source: { fileName }, name: dagName, ...options }),
  'runs.dry': ({ spec, base, fileName, ...options }, { dryRun }) =>
    dryRun({ source: inlineSource(spec, base, fileName), ...options }),
};
