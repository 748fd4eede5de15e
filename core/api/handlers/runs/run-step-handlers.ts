import { AppError } from '../../../base/errors.ts';
import { findNearest } from '../../../base/text/nearest.ts';
import type { OperationOutput } from '../../../contract/operations.ts';
import type { RunDetail, RunRef } from '../../../model/run/run.ts';
import type { EditableStatus } from '../../../model/run/status.ts';
import type { Caller } from '../../engine-host.ts';
import type { EngineContext } from '../../engine-context.ts';
import type { HandlersFor } from '../handlers.ts';
import { requireRun } from './run-handlers.ts';

/** Operations on single steps of runs. */
export const runStepHandlers: HandlersFor<'runs.setStepStatus'> = {
  'runs.setStepStatus': (input, context, caller) => setStepStatus(context, input, caller),
};

/**
 * Sets the status of a step of a finished run.
 * @throws `not_found` or `still_running`
 */
export async function setStepStatus(
  context: EngineContext,
  { step, status, ...ref }: RunRef & { readonly step: string; readonly status: EditableStatus },
  caller: Caller,
): Promise<OperationOutput<'runs.setStepStatus'>> {
  const { store, clock, hub } = context;
  const detail = requireRun(context, ref);
  await requireStep(context, detail, step);
  const { key, name, dagRunId } = detail.run;
  const previous = store.setStepStatus({ runKey: key, step, status, by: caller.name }, clock.now());
  hub.pump();
  return { name, dagRunId, step, status, previous };
}

/** Returns a step of the workflow that was run, or a step with a record if the workflow can no longer be loaded. */
async function requireStep(
  { storedWorkflows }: EngineContext,
  { run, spec, steps }: RunDetail,
  step: string,
): Promise<void> {
  const recorded = steps.filter(({ node }) => node.section === 'step').map(({ node }) => node.name);
  const names = [...(await storedWorkflows.find(run, spec)).steps.map(({ name }) => name), ...recorded];
  if (names.includes(step)) return;
  const nearest = findNearest(step, names);
  const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw new AppError('not_found', `Run ${run.dagRunId} of ${run.name} has no step "${step}".${guess}`);
}
