import Type from 'typebox';
import { editableStatuses } from '../../model/run/status.ts';
import { defineOperation } from '../operation.ts';
import { DagName, literals, RunId } from './run-views.ts';

/** A status that can be set manually. */
export const EditedStatus = literals(editableStatuses);

const StepName = Type.String({
  minLength: 1,
  description: 'Name of a step (not of a handler)',
});

const change = {
  step: StepName,
  status: EditedStatus,
};

const output = Type.Object({
  name: Type.String(),
  dagRunId: Type.String(),
  step: Type.String(),
  status: EditedStatus,
  previous: Type.Unsafe<string>({ type: 'string', description: 'Previous status' }),
});

export const runStepOperations = {
  'runs.setStepStatus': defineOperation({
    summary:
      'Set the status of a step of a finished run. The status of the run does not change, but a retry uses the new status',
    method: 'PATCH',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/status',
    input: Type.Object({ name: DagName, dagRunId: RunId, ...change }),
    output,
    errors: ['not_found', 'still_running'],
    role: 'operator',
  }),
  'runs.setSubRunStepStatus': defineOperation({
    summary: 'Set the status of a step of a finished sub-run',
    method: 'PATCH',
    path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subRunId}/steps/{step}/status',
    input: Type.Object({ name: DagName, dagRunId: RunId, subRunId: RunId, ...change }),
    output,
    errors: ['not_found', 'still_running'],
    role: 'operator',
  }),
};
