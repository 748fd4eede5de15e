import type { NodeId } from '../model/run/run-event.ts';
import type { Step } from '../model/workflow/step.ts';
import type { Workflow } from '../model/workflow/workflow.ts';

/** The step, or the handler, that a node of a run is; undefined when its workflow has none of the name. */
export function findNode(
  { steps, handlers }: Pick<Workflow, 'steps' | 'handlers'>,
  { section, name }: NodeId,
): Step | undefined {
  const nodes = section === 'step' ? steps : Object.values(handlers);
  return nodes.find((step) => step.name === name);
}
