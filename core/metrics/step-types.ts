import type { NodeId } from '../model/run/run-event.ts';
import type { Step } from '../model/workflow/step.ts';
import type { Workflow } from '../model/workflow/workflow.ts';

/** Of a step whose workflow is gone or cannot be read any more. */
export const unknownType = 'unknown';

/** What carries a step out: `command`, `script`, `dag`, or the type of its executor. */
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

/** Types by node, looked up as often as there are events. */
export function listStepTypes(workflow: Workflow): ReadonlyMap<string, string> {
  const handlers = Object.values(workflow.handlers).flat();
  return new Map([
    ...workflow.steps.map(
      (step) => [keyOfNode({ section: 'step', name: step.name }), readStepType(step)] as const,
    ),
    ...handlers.map(
      (step) => [keyOfNode({ section: 'handler', name: step.name }), readStepType(step)] as const,
    ),
  ]);
}

export const keyOfNode = ({ section, name }: NodeId): string => `${section}:${name}`;
