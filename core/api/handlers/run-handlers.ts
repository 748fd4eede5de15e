import { AppError } from '../../base/errors.ts';
import { latestRunId } from '../../base/ids.ts';
import type { RunDetail, RunRecord, RunRef } from '../../model/run.ts';
import type { EngineParts } from '../engine-parts.ts';
import { parseCursor } from './cursor.ts';
import { triggerOf, type HandlersFor } from './handlers.ts';
import { toRunDetail, toRunSummary } from '../views.ts';

const defaultPageSize = 50;

/** Operations on runs. */
export const runHandlers: HandlersFor<
  'runs.list' | 'runs.get' | 'runs.subRuns' | 'runs.stop' | 'runs.start'
> = {
  'runs.list': ({ name, status, subRuns, limit = defaultPageSize, cursor }, { store, queues }) => {
    const before = parseCursor(cursor);
    const runs = store.listRuns({ name, statuses: status, topLevelOnly: subRuns !== true, before, limit });
    const last = runs.at(-1);
    const nextCursor = last === undefined || runs.length < limit ? undefined : String(last.key);
    return { dagRuns: runs.map((run) => toRunSummary(run, queues)), nextCursor };
  },
  'runs.get': (input, parts) => {
    const detail = requireRun(parts, input);
    const { storedWorkflows, paths, watch, queues } = parts;
    const workflow = storedWorkflows.find(detail.run, detail.spec);
    return toRunDetail(detail, workflow, { home: paths.home, watch, queues });
  },
  'runs.subRuns': (input, parts) => {
    const refs = requireRun(parts, input).steps.flatMap((step) => step.subRuns);
    const records = refs.map((ref) => parts.store.findRun(ref)).filter((record) => record !== undefined);
    return { subRuns: records.toSorted(byKey).map((run) => toRunSummary(run, parts.queues)) };
  },
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
};

const byKey = (left: RunRecord, right: RunRecord): number => left.key - right.key;

/** A run with its steps; the id `latest` stands for the DAG's newest. Throws `not_found`. */
export function requireRun({ store }: Pick<EngineParts, 'store'>, run: RunRef): RunDetail {
  const wanted = run.dagRunId === latestRunId ? store.latestRun(run.name) : run;
  const detail = wanted === undefined ? undefined : store.getDetail(wanted);
  if (detail !== undefined) return detail;
  throw new AppError('not_found', `There is no run "${run.dagRunId}" of "${run.name}"`);
}
