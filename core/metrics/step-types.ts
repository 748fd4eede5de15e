import type { NodeId } from '../model/run/run-event.ts';
import type { Step } from '../model/workflow/step.ts';
import type { Workflow } from '../model/workflow/workflow.ts';

/** Type of a step whose workflow was deleted or is invalid. */
export const unknownType = 'unknown';

/** Returns the type of a step: `command`, `script`, `dag`, or its executor type. */
export function readStepType({ action }: Pick<Step, 'action'>): string {
  switch (action.kind) {
    case 'executor':
      return action.type;
    case 'argv':
      return 'command';
    default:
      return action.kind;
  }
}

/** Returns types by node, for fast lookup. */
export function listStepTypes(workflow: Workflow): ReadonlyMap<string, string> {
  const handlers = Object.values(workflow.handlers).flat();
  return new Map([
    ...workflow.steps.map(
      (step) => [nodeKey({ section: 'step', name: step.name }), readStepType(step)] as const,
    ),
    ...handlers.map(
      (step) => [nodeKey({ section: 'handler', name: step.name }), readStepType(step)] as const,
    ),
  ]);
}

export const nodeKey = ({ section, name }: NodeId): string => `${section}:${name}`;
