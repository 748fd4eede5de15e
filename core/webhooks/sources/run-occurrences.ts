import type { JsonObject } from '../../base/json.ts';
import type { RunEvent } from '../../model/run/run-event.ts';
import { describeStatus } from './commit-status.ts';
import { listDeployments, listDeploymentStatuses } from './deployments.ts';
import { ghost, senderNamed } from './people.ts';
import { ownBranch } from './places.ts';
import type { RunFacts, StepFacts } from './run-facts.ts';
import {
  describeCheck,
  describeInputs,
  describeJob,
  describeRun,
  describeWorkflow,
  isDispatched,
  workflowPath,
} from './run-objects.ts';

/**
 * An event to send, without the properties that the store adds, and without its repository, which is the same for all.
 */
export interface RunOccurrence {
  readonly event: string;
  readonly payload: JsonObject;
}

/** Run events that webhooks can receive. */
const toldTypes = [
  'run.created',
  'run.retried',
  'run.started',
  'run.finished',
  'step.started',
  'step.finished',
  'step.ended',
] as const satisfies readonly RunEvent['type'][];
type ToldType = (typeof toldTypes)[number];

/** Whether an event is relevant for webhooks. */
export const isTold = (event: RunEvent): event is Extract<RunEvent, { type: ToldType }> =>
  (toldTypes as readonly RunEvent['type'][]).includes(event.type);

/** State after the event: a run, or a step of it or of one of its sub-runs. */
export interface Told {
  readonly run: RunFacts;
  readonly step?: StepFacts | undefined;
}

/**
 * Returns the webhook events of a run event: the run is a workflow run, its steps are jobs and checks, its source is
 * the commit with a status. A sub-run is not a workflow run: its steps are jobs of the calling run.
 * @param at epoch milliseconds
 */
export function listOccurrences(
  event: Extract<RunEvent, { type: ToldType }>,
  at: number,
  { run, step }: Told,
): RunOccurrence[] {
  switch (event.type) {
    case 'run.created':
      return [
        ...(isDispatched(run) ? [tell(run, 'workflow_dispatch', describeDispatch(run))] : []),
        ofRun(run, 'requested'),
        tell(run, 'status', describeStatus(run, at)),
        ...listDeployments(run).map((deployment) => tell(run, 'deployment', deployment)),
        ...ofDeployments(run, at),
      ];
    case 'run.retried':
      return [ofRun(run, 'requested'), tell(run, 'status', describeStatus(run, at))];
    case 'run.started':
      return [ofRun(run, 'in_progress'), ...ofDeployments(run, at)];
    case 'run.finished':
      return [
        ofRun(run, 'completed'),
        tell(run, 'status', describeStatus(run, at)),
        ...ofDeployments(run, at),
      ];
    case 'step.started':
      // Retries and repetitions are part of the job.
      return step?.startedAt === at ? ofStepStart(run, step) : [];
    case 'step.finished':
    case 'step.ended':
      return step === undefined ? [] : ofStep(run, step, { job: 'completed', check: 'completed' });
  }
}

const tell = (
  run: RunFacts,
  event: string,
  payload: JsonObject,
  sender = senderNamed(run.startedBy),
): RunOccurrence => ({
  event,
  payload: { ...payload, sender },
});

const ofRun = (run: RunFacts, action: string): RunOccurrence =>
  tell(run, 'workflow_run', { action, workflow_run: describeRun(run), workflow: describeWorkflow(run) });

const ofDeployments = (run: RunFacts, at: number): RunOccurrence[] =>
  listDeploymentStatuses(run, at).map((payload) => tell(run, 'deployment_status', payload));

/** Jobs never wait for a runner: a job is queued when it can start, and starts immediately. */
function ofStepStart(run: RunFacts, step: StepFacts): RunOccurrence[] {
  const queued = describeJob(run, { ...step, status: 'queued', host: undefined });
  return [
    tell(run, 'workflow_job', { action: 'queued', workflow_job: { ...queued, steps: [] } }),
    ...ofStep(run, step, { job: 'in_progress', check: 'created' }),
  ];
}

function ofStep(
  run: RunFacts,
  step: StepFacts,
  action: { readonly job: string; readonly check: string },
): RunOccurrence[] {
  const job = { action: action.job, workflow_job: describeJob(run, step) };
  const check = { action: action.check, check_run: describeCheck(run, step) };
  // Checks have no actor.
  return [tell(run, 'workflow_job', job), tell(run, 'check_run', check, ghost)];
}

const describeDispatch = (run: RunFacts): JsonObject => ({
  inputs: describeInputs(run),
  ref: `refs/heads/${ownBranch}`,
  workflow: workflowPath(run),
});
