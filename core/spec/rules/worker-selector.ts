import type { StepAction } from '../../model/step.ts';
import type { WorkerSelector } from '../../model/worker-selector.ts';
import type { Report } from '../source/report.ts';
import { keyStartOf, placeOf, type Place } from '../source/source-node.ts';
import { readTextMap } from './text-map.ts';

/** `workerSelector` of a step: it is about the run that the step starts (peer 1.6), so that others have no use for it. */
export function readStepSelector(
  step: Place,
  action: StepAction | undefined,
  report: Report,
): WorkerSelector | undefined {
  const selector = readTextMap(step, 'workerSelector');
  if (selector !== undefined && action !== undefined && action.kind !== 'dag') {
    report.warningAt(
      keyStartOf(step.node, 'workerSelector'),
      placeOf(step, 'workerSelector').path,
      '"workerSelector" of a step chooses the worker for the sub-workflow that it runs; this step runs none, so it has no effect here. Move it to the workflow, or remove it.',
    );
  }
  return selector;
}
