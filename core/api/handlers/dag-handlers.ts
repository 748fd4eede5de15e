import { toIso } from '../../base/clock.ts';
import type { DagSummaryView } from '../../contract/dags.ts';
import type { LibraryEntry } from '../../library/workflow-library.ts';
import type { RunRecord } from '../../model/run.ts';
import { findNextStart } from '../../schedule/next-run.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { loadSpec } from '../../spec/load.ts';
import type { EngineParts } from '../engine-parts.ts';
import { triggerOf, type HandlersFor } from './handlers.ts';
import { toRunSummary } from '../views.ts';

/** Operations on workflow files. */
export const dagHandlers: HandlersFor<'dags.list' | 'dags.get' | 'dags.start' | 'dags.validate'> = {
  'dags.list': ({ sort }, parts) => {
    const known = { latest: parts.store.latestRuns(), suspended: parts.schedule.listSuspended() };
    const dags = parts.library.list().map((entry) => summarize(entry, known, parts));
    return { dags: sort === 'nextRun' ? dags.toSorted(byNextRun) : dags };
  },
  'dags.get': ({ fileName }, parts) => {
    const entry = parts.library.get(fileName);
    const [workflow, ...localDags] = entry.spec.workflows;
    const known = { latest: parts.store.latestRuns(), suspended: parts.schedule.listSuspended() };
    return {
      ...summarize(entry, known, parts),
      file: entry.file,
      spec: entry.spec.text,
      diagnostics: [...entry.spec.diagnostics],
      workflow,
      localDags,
    };
  },
  'dags.start': ({ fileName, params, dagRunId, dagName, singleton }, parts, caller) =>
    parts.startRun({
      source: { fileName },
      trigger: triggerOf(caller),
      params,
      dagRunId,
      name: dagName,
      singleton,
      trace: caller.trace,
    }),
  'dags.validate': ({ spec, name }) => {
    const { workflows, diagnostics } = loadSpec({ text: spec, file: name });
    const errors = diagnostics
      .filter(({ severity }) => severity === 'error')
      .map((diagnostic) => formatDiagnostic(diagnostic));
    return { valid: errors.length === 0, errors, diagnostics: [...diagnostics], dag: workflows[0] };
  },
};

/** What lists know of all workflows. */
interface Known {
  readonly latest: ReadonlyMap<string, RunRecord>;
  readonly suspended: ReadonlySet<string>;
}

function summarize(
  entry: LibraryEntry,
  { latest, suspended }: Known,
  { clock, queues, config }: Pick<EngineParts, 'clock' | 'queues' | 'config'>,
): DagSummaryView {
  const workflow = entry.spec.workflows[0];
  const latestRun = latest.get(workflow?.name ?? entry.fileName);
  const isSuspended = suspended.has(entry.fileName);
  const nextStart =
    workflow === undefined || isSuspended
      ? undefined
      : findNextStart(workflow.schedule, clock.now(), config.tz);
  return {
    fileName: entry.fileName,
    name: workflow?.name ?? entry.fileName,
    group: workflow?.group,
    description: workflow?.description,
    tags: workflow?.tags ?? [],
    schedule: workflow?.schedule ?? { start: [], stop: [], restart: [] },
    nextRun: nextStart === undefined ? undefined : toIso(nextStart),
    suspended: isSuspended,
    stepCount: workflow?.steps.length ?? 0,
    valid: workflow !== undefined && entry.spec.diagnostics.every(({ severity }) => severity !== 'error'),
    latestRun: latestRun === undefined ? undefined : toRunSummary(latestRun, queues),
  };
}

/** Earlier next run first; without a schedule last (seed 1, Endpoints, GET /dags). */
function byNextRun(left: DagSummaryView, right: DagSummaryView): number {
  const [a, b] = [left.nextRun ?? '\uFFFF', right.nextRun ?? '\uFFFF'];
  if (a !== b) return a < b ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}
