import { AppError } from '../../../base/errors.ts';
import type { OperationOutput } from '../../../contract/operations.ts';
import { handlerNames } from '../../../model/workflow/handler-name.ts';
import type { RunRecord } from '../../../model/run/run.ts';
import type { StepState } from '../../../run/ports.ts';
import { activeRunStatuses } from '../../../model/run/status.ts';
import type { Workflow } from '../../../model/workflow/workflow.ts';
import type { EngineContext } from '../../engine-context.ts';
import { toRunSummary } from '../../views.ts';
import { parseCursor } from '../cursor.ts';
import { nameOf } from '../workflows/dag-list.ts';
import type { HandlersFor } from '../handlers.ts';
import { requireRun, viewRun } from './run-handlers.ts';

const defaultPageSize = 30;
/** Number of runs that are stopped per turn of the event loop. */
const stopsPerTurn = 20;

/** Operations on the runs of one workflow file. */
export const dagRunHandlers: HandlersFor<'dags.runs' | 'dags.run' | 'dags.stopAll'> = {
  'dags.runs': async ({ fileName, limit = defaultPageSize, cursor }, { library, store, queues }) => {
    const entry = await library.get(fileName);
    const before = parseCursor(cursor);
    const runs = store.listRuns({ name: nameOf(entry), topLevelOnly: true, before, limit });
    const states = store.listStepStates(runs.map(({ key }) => key));
    const last = runs.at(-1);
    return {
      dagRuns: runs.map((run) => toRunSummary(run, queues)),
      gridData: toGrid(runs, states, entry.spec.workflows[0]),
      nextCursor: last === undefined || runs.length < limit ? undefined : String(last.key),
    };
  },
  'dags.run': async ({ fileName, dagRunId }, context) =>
    viewRun(context, requireRun(context, { name: nameOf(await context.library.get(fileName)), dagRunId })),
  'dags.stopAll': async ({ fileName }, context, caller) => {
    const name = nameOf(await context.library.get(fileName));
    const errors: string[] = [];
    let stopped = 0;
    // Newest first, so that runs created in the meantime are not included.
    for (let before: number | undefined; ;) {
      const filter = { name, statuses: activeRunStatuses, topLevelOnly: true, before, limit: stopsPerTurn };
      const runs = context.store.listRuns(filter);
      for (const run of runs) {
        const outcome = stop(context, run, caller.name);
        if (outcome === true) stopped += 1;
        else if (outcome !== false) errors.push(outcome);
      }
      context.hub.pump();
      if (runs.length < stopsPerTurn) return { stopped, errors };
      before = runs.at(-1)!.key;
      await new Promise<void>((resolve) => context.clock.soon(resolve));
    }
  },
};

/** Stops a run. Returns whether it was stopped, false if it has already ended, or why it cannot be stopped. */
function stop({ store, clock }: EngineContext, run: RunRecord, by: string): boolean | string {
  try {
    store.requestStop(run, by, clock.now());
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isOver = error.code === 'not_running' || error.code === 'not_found';
    return isOver ? false : `${run.dagRunId}: ${error.message}`;
  }
}

type Grid = OperationOutput<'dags.runs'>['gridData'];

function toGrid(
  runs: readonly RunRecord[],
  states: readonly StepState[],
  workflow: Workflow | undefined,
): Grid {
  const rows = new Map<string, Grid[number]>();
  const columns = new Map(runs.map(({ key }, index) => [key, index]));
  const rowOf = (section: 'step' | 'handler', name: string): Grid[number] => {
    const key = `${section}:${name}`;
    const row = rows.get(key) ?? { name, section, history: runs.map(() => null) };
    rows.set(key, row);
    return row;
  };
  for (const { name } of workflow?.steps ?? []) rowOf('step', name);
  for (const { runKey, node, status } of states)
    rowOf(node.section, node.name).history[columns.get(runKey)!] = status;
  const all = [...rows.values()];
  const handlers = all.filter(({ section }) => section === 'handler').toSorted(compareHandlers(workflow));
  return [...all.filter(({ section }) => section === 'step'), ...handlers];
}

/** Sorts handlers in order of execution. */
const compareHandlers = (workflow: Workflow | undefined) => {
  const names = handlerNames.map((key) => workflow?.handlers[key]?.name);
  const rank = (name: string): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return (left: { name: string }, right: { name: string }): number => rank(left.name) - rank(right.name);
};
