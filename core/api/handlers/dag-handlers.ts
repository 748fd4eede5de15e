import { toIso } from '../../base/clock.ts';
import type { DagSummaryView } from '../../contract/dags.ts';
import type { LibraryEntry } from '../../library/workflow-library.ts';
import type { RunRecord } from '../../model/run.ts';
import { findNextStart } from '../../schedule/next-run.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { loadSpec } from '../../spec/load.ts';
import { triggerOf, type HandlersFor } from './handlers.ts';
import { toRunSummary } from '../views.ts';

/** Operations on workflow files. */
export const dagHandlers: HandlersFor<'dags.list' | 'dags.get' | 'dags.start' | 'dags.validate'> = {
  'dags.list': ({ sort }, parts) => {
    const latest = parts.store.latestRuns();
    const dags = parts.library.list().map((entry) => summarize(entry, latest, parts.clock.now()));
    return { dags: sort === 'nextRun' ? dags.toSorted(byNextRun) : dags };
  },
  'dags.get': ({ fileName }, parts) => {
    const entry = parts.library.get(fileName);
    const [workflow, ...localDags] = entry.spec.workflows;
    return {
      ...summarize(entry, parts.store.latestRuns(), parts.clock.now()),
      file: entry.file,
      spec: entry.spec.text,
      diagnostics: [...entry.spec.diagnostics],
      workflow,
      localDags,
    };
  },
  'dags.start': ({ fileName, params, dagRunId, dagName }, parts, caller) =>
    parts.startRun({
      source: { fileName },
      trigger: triggerOf(caller),
      params,
      dagRunId,
      name: dagName,
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

function summarize(entry: LibraryEntry, latest: ReadonlyMap<string, RunRecord>, now: number): DagSummaryView {
  const workflow = entry.spec.workflows[0];
  const latestRun = latest.get(workflow?.name ?? entry.fileName);
  const nextStart = workflow === undefined ? undefined : findNextStart(workflow.schedule, now);
  return {
    fileName: entry.fileName,
    name: workflow?.name ?? entry.fileName,
    group: workflow?.group,
    description: workflow?.description,
    tags: workflow?.tags ?? [],
    schedule: workflow?.schedule ?? { start: [], stop: [], restart: [] },
    nextRun: nextStart === undefined ? undefined : toIso(nextStart),
    stepCount: workflow?.steps.length ?? 0,
    valid: workflow !== undefined && entry.spec.diagnostics.every(({ severity }) => severity !== 'error'),
    latestRun: latestRun === undefined ? undefined : toRunSummary(latestRun),
  };
}

/** Earlier next run first; without a schedule last (seed 1, Endpoints, GET /dags). */
function byNextRun(left: DagSummaryView, right: DagSummaryView): number {
  const [a, b] = [left.nextRun ?? '\uFFFF', right.nextRun ?? '\uFFFF'];
  if (a !== b) return a < b ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}
