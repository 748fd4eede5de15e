import { AppError, messageOf } from '../../base/errors.ts';
import { latestRunId } from '../../base/ids.ts';
import type { OperationInput, OperationOutput } from '../../contract/operations.ts';
import type { RunDetail, RunRef } from '../../model/run.ts';
import { isFinal } from '../../model/status.ts';
import { findLogFolder, removeRunLogs } from '../../run/remove-logs.ts';
import type { EngineParts } from '../engine-parts.ts';
import { toRunDetail, toRunSummary } from '../views.ts';
import { parseRunCursor, toRunCursor } from './cursor.ts';
import { triggerOf, type HandlersFor } from './handlers.ts';
import { readMoment } from './read-moment.ts';

const defaultPageSize = 50;

type RunOperation = 'runs.list' | 'runs.listOf' | 'runs.get' | 'runs.stop' | 'runs.start' | 'runs.delete';

/** Operations on runs. */
export const runHandlers: HandlersFor<RunOperation> = {
  'runs.list': listRuns,
  'runs.listOf': listRuns,
  'runs.get': getRun,
  'runs.stop': (input, { store, clock, hub }, caller) => {
    store.requestStop(input, caller.name, clock.now());
    hub.pump();
    return { name: input.name, dagRunId: input.dagRunId };
  },
  'runs.start': ({ spec, name, params, dagRunId, singleton }, parts, caller) =>
    parts.startRun({
      source: { spec },
      trigger: triggerOf(caller),
      name,
      params,
      dagRunId,
      singleton,
      trace: caller.trace,
    }),
  'runs.delete': async ({ name, dagRunId }, { store, paths }) => {
    const removed = store.deleteRun({ name, dagRunId });
    const errors: string[] = [];
    for (const run of removed) {
      await removeRunLogs(paths.home, run).catch((thrown: unknown) => {
        errors.push(`${findLogFolder(paths.home, run) ?? run.logDir}: ${messageOf(thrown)}`);
      });
    }
    return { removed: removed.length, errors };
  },
};

function listRuns(
  input: OperationInput<'runs.list'>,
  { store, queues }: EngineParts,
): OperationOutput<'runs.list'> {
  const { name, nameContains, dagRunId, status, subRuns, limit = defaultPageSize, cursor } = input;
  const { runs, next } = store.searchRuns({
    name,
    nameContains,
    dagRunId,
    statuses: status,
    topLevelOnly: subRuns !== true,
    createdFrom: readMoment('fromDate', input.fromDate),
    createdBefore: readMoment('toDate', input.toDate),
    after: parseRunCursor(cursor),
    limit,
  });
  const nextCursor = next === undefined ? undefined : toRunCursor(next);
  return { dagRuns: runs.map((run) => toRunSummary(run, queues)), nextCursor };
}

/** Of a run that has ended the picture is kept: people and programs look at it again and again. */
function getRun(run: RunRef, parts: EngineParts): OperationOutput<'runs.get'> {
  const { store, endedRuns } = parts;
  // Asked before the picture is made: of two changes in between neither is missed.
  const version = store.findVersion(run);
  if (version === undefined || !isFinal(version.status)) return viewRun(parts, requireRun(parts, run));
  const known = endedRuns.find(version);
  if (known !== undefined) return known;
  const view = viewRun(parts, requireRun(parts, run));
  if (isFinal(view.status)) endedRuns.keep(version, view);
  return view;
}

/** A run as its page shows it. */
export function viewRun(parts: EngineParts, detail: RunDetail): OperationOutput<'runs.get'> {
  const { storedWorkflows, paths, watch, queues } = parts;
  const workflow = storedWorkflows.find(detail.run, detail.spec);
  return toRunDetail(detail, workflow, { home: paths.home, watch, queues });
}

/** A run with its steps; the id `latest` stands for the DAG's newest. Throws `not_found`. */
export function requireRun({ store }: Pick<EngineParts, 'store'>, run: RunRef): RunDetail {
  const wanted = run.dagRunId === latestRunId ? store.latestRun(run.name) : run;
  const detail = wanted === undefined ? undefined : store.getDetail(wanted);
  if (detail !== undefined) return detail;
  throw new AppError('not_found', `There is no run "${run.dagRunId}" of "${run.name}"`);
}
