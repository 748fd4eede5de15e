import type { OutlineStep } from '../../../../core/edit/outline.ts';
import type { Step } from '../../../../core/model/workflow/step.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';
import type { Sources } from './canvas-graph.ts';

/** What the engine reads the steps and handlers of an outline as. */
export interface Specs {
  /** @param index of the step or handler in the outline */
  readonly specOf: (step: OutlineStep, index: number) => Step | undefined;
  /** Whether that is of the text that is drawn: what an earlier one has said is no longer so. */
  readonly isNewest: boolean;
}

/** The steps of a text without errors stand as those of its outline; those of an earlier text are found by name. */
export function findSpecs({ workflow, analysis }: Pick<Sources, 'workflow' | 'analysis'>): Specs {
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
