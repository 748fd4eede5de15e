import { AppError } from '../base/errors.ts';
import { latestRunId } from '../base/ids.ts';
import type { RunDetail, RunRef } from '../model/run.ts';
import type { Parameter, Workflow } from '../model/workflow.ts';
import {
  findUpstream,
  orderTopologically,
  selectedNames,
  selectSteps,
  type StepSelection,
} from '../spec/plan/graph.ts';
import type { RunStore } from '../store/types/runs.ts';
import { outputText } from './values/run-scope.ts';

/** A request to run a part of a workflow. */
export interface StepSelectionOptions {
  readonly selection: StepSelection;
  /** Id of an earlier run of the same name, or `latest`: its outputs of the steps before the part become parameters. */
  readonly outputsFrom?: string;
}

/** A part of a workflow, ready to be run. */
export interface PartialRun {
  readonly names: readonly string[];
  /** The workflow reduced to the part. */
  readonly workflow: Workflow;
  /** Outputs of steps before the part, as parameters. */
  readonly explicitParams: readonly Parameter[];
}

/**
 * Reads a part of a workflow.
 * @param name of the new run
 * @throws `not_found` for an unknown step or earlier run
 */
export async function readPartialRun(
  store: Pick<RunStore, 'getDetail' | 'latestRun'>,
  { workflow, name }: { readonly workflow: Workflow; readonly name: string },
  { selection, outputsFrom }: StepSelectionOptions,
): Promise<PartialRun> {
  const names = selectedNames(workflow, selection);
  const selected = selectSteps(workflow, names);
  if (outputsFrom === undefined) return { names, workflow: selected, explicitParams: [] };
  const previousRun = await requireRun(store, { name, dagRunId: outputsFrom });
  const producedNames = new Set(selected.steps.flatMap(({ output }) => output ?? []));
  const explicitParams = listOutputs(workflow, names, previousRun).filter(
    (parameter) => !producedNames.has(parameter.name),
  );
  return { names, workflow: selected, explicitParams };
}

/**
 * Lists the outputs of the steps that the part depends on but does not include. Of duplicate names, the later step's
 * output counts.
 */
function listOutputs(
  { steps }: Pick<Workflow, 'steps'>,
  names: readonly string[],
  { steps: records }: RunDetail,
): Parameter[] {
  const before = findUpstream(steps, names);
  for (const name of names) before.delete(name);
  const outputs = new Map(
    records.filter(({ node }) => node.section === 'step').map(({ node, output }) => [node.name, output]),
  );
  const sorted = orderTopologically(steps)
    .filter((name) => before.has(name))
    .flatMap((name) => outputs.get(name) ?? []);
  return Array.from(new Map(sorted.map(({ name, value }) => [name, outputText(value)])), ([name, value]) => ({
    name,
    value,
  }));
}

async function requireRun(store: Pick<RunStore, 'getDetail' | 'latestRun'>, run: RunRef): Promise<RunDetail> {
  const source = run.dagRunId === latestRunId ? await store.latestRun(run.name) : run;
  const detail = source === undefined ? undefined : await store.getDetail(source);
  if (detail !== undefined) return detail;
  throw new AppError(
    'not_found',
    `Run "${run.dagRunId}" of "${run.name}" not found. Omit outputsFrom, or use another run.`,
  );
}
