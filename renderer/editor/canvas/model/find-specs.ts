import type { OutlineStep } from '../../../../core/edit/outline.ts';
import type { Step } from '../../../../core/model/workflow/step.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';
import type { CanvasGraphInputs } from './canvas-graph.ts';

/** The parsed steps and handlers of an outline. */
export interface ParsedSpecs {
  /** @param index position of the step or handler in the outline */
  readonly specOf: (step: OutlineStep, index: number) => Step | undefined;
  /** Whether the specs belong to the drawn version of the text; older specs may be out of date. */
  readonly isNewest: boolean;
}

/**
 * Finds the parsed steps. In a text without errors, they match the outline by position; those of an earlier
 * version are matched by name.
 */
export function findSpecs({
  workflow,
  analysis,
}: Pick<CanvasGraphInputs, 'workflow' | 'analysis'>): ParsedSpecs {
  let byName: ReadonlyMap<string, Step> | undefined;
  return {
    isNewest: workflow !== undefined && analysis.workflows.includes(workflow),
    specOf({ section, name }, index) {
      if (section === 'handler') return workflow?.handlers[name as keyof Workflow['handlers']];
      const beside = workflow?.steps[index];
      if (beside?.name === name) return beside;
      byName ??= new Map(workflow?.steps.map((step) => [step.name, step]));
      return byName.get(name);
    },
  };
}
