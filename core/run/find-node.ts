import type { NodeId } from '../model/run/run-event.ts';
import type { Step } from '../model/workflow/step.ts';
import type { Workflow } from '../model/workflow/workflow.ts';

/** Returns the step or handler of a run's node; undefined when the workflow has none with this name. */
export function findNode(
  { steps, handlers }: Pick<Workflow, 'steps' | 'handlers'>,
  { section, name }: NodeId,
): Step | undefined {
  const nodes = section === 'step' ? steps : Object.values(handlers);
  return nodes.find((step) => step.name === name);
}
