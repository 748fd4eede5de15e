import type { JsonObject } from '../../base/json.ts';
import type { RunEvent, Trigger } from '../../model/run-event.ts';
import type { RunStatus, StepStatus } from '../../model/run.ts';
import { toStatusObject, listDeployments, listDeploymentStatuses } from './deployments.ts';
import { unknownAccount, senderByName, localBranch } from './repository.ts';
import {
  toCheckObject,
  toInputsObject,
  toJobObject,
  toRunObject,
  toWorkflowObject,
  isStartedManually,
  workflowPath,
} from './run-objects.ts';

/**
 * An event to send, without the properties that the store adds, and without its repository, which is the same for all.
 */
export interface RunWebhookEvent {
  readonly event: string;
  readonly payload: JsonObject;
}

/** Run events that webhooks can receive. */
const reportedTypes = [
  'run.created',
  'run.retried',
  'run.started',
  'run.finished',
  'step.started',
  'step.finished',
  'step.ended',
] as const satisfies readonly RunEvent['type'][];
type ReportedEventType = (typeof reportedTypes)[number];

/** Whether an event is relevant for webhooks. */
export const isWebhookRelevant = (event: RunEvent): event is Extract<RunEvent, { type: ReportedEventType }> =>
  (reportedTypes as readonly RunEvent['type'][]).includes(event.type);

/** State after the event: a run, or a step of it or of one of its sub-runs. */
export interface RunWebhookEventContext {
  readonly run: RunInfo;
  readonly step?: StepInfo | undefined;
}

/**
 * Returns the webhook events of a run event: the run is a workflow run, its steps are jobs and checks, its source is
 * the commit with a status. A sub-run is not a workflow run: its steps are jobs of the calling run.
 * @param at epoch milliseconds
 */
export function listRunWebhookEvents(
  event: Extract<RunEvent, { type: ReportedEventType }>,
  at: number,
  { run, step }: RunWebhookEventContext,
): RunWebhookEvent[] {
  switch (event.type) {
    case 'run.created':
      return [
        ...(isStartedManually(run) ? [notify(run, 'workflow_dispatch', toDispatchObject(run))] : []),
        toRunEvent(run, 'requested'),
        notify(run, 'status', toStatusObject(run, at)),
        ...listDeployments(run).map((deployment) => notify(run, 'deployment', deployment)),
        ...toDeploymentEvents(run, at),
      ];
    case 'run.retried':
      return [toRunEvent(run, 'requested'), notify(run, 'status', toStatusObject(run, at))];
    case 'run.started':
      return [toRunEvent(run, 'in_progress'), ...toDeploymentEvents(run, at)];
    case 'run.finished':
      return [
        toRunEvent(run, 'completed'),
        notify(run, 'status', toStatusObject(run, at)),
        ...toDeploymentEvents(run, at),
      ];
    case 'step.started':
      // Retries and repetitions are part of the job.
      return step?.startedAt === at ? toStepStartEvents(run, step) : [];
    case 'step.finished':
    case 'step.ended':
      return step === undefined ? [] : toStepEvents(run, step, { job: 'completed', check: 'completed' });
  }
}

const notify = (
  run: RunInfo,
  event: string,
  payload: JsonObject,
  sender = senderByName(run.startedBy),
): RunWebhookEvent => ({
  event,
  payload: { ...payload, sender },
});

const toRunEvent = (run: RunInfo, action: string): RunWebhookEvent =>
  notify(run, 'workflow_run', { action, workflow_run: toRunObject(run), workflow: toWorkflowObject(run) });

const toDeploymentEvents = (run: RunInfo, at: number): RunWebhookEvent[] =>
  listDeploymentStatuses(run, at).map((payload) => notify(run, 'deployment_status', payload));

/** Jobs never wait for a runner: a job is queued when it can start, and starts immediately. */
function toStepStartEvents(run: RunInfo, step: StepInfo): RunWebhookEvent[] {
  const queued = toJobObject(run, { ...step, status: 'queued', host: undefined });
  return [
    notify(run, 'workflow_job', { action: 'queued', workflow_job: { ...queued, steps: [] } }),
    ...toStepEvents(run, step, { job: 'in_progress', check: 'created' }),
  ];
}

function toStepEvents(
  run: RunInfo,
  step: StepInfo,
  action: { readonly job: string; readonly check: string },
): RunWebhookEvent[] {
  const job = { action: action.job, workflow_job: toJobObject(run, step) };
  const check = { action: action.check, check_run: toCheckObject(run, step) };
  // Checks have no actor.
  return [notify(run, 'workflow_job', job), notify(run, 'check_run', check, unknownAccount)];
}

const toDispatchObject = (run: RunInfo): JsonObject => ({
  inputs: toInputsObject(run),
  ref: `refs/heads/${localBranch}`,
  workflow: workflowPath(run),
});

/** Run data for events. Times are epoch milliseconds. */
export interface RunInfo {
  readonly key: number;
  readonly dag: string;
  readonly dagRunId: string;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  readonly startedBy: string | undefined;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly error: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** SHA-256 of its workflow source, in hexadecimal. */
  readonly textHash: string;
  /** Path of its file, as given. */
  readonly file: string | undefined;
  readonly tags: readonly string[];
  /** Attempt number, from 1. */
  readonly attempt: number;
}

/** The run that a step belongs to: the run itself, or a sub-run of it. */
export interface StepRunRef {
  readonly key: number;
  readonly dag: string;
  readonly dagRunId: string;
  /** Names of the calling steps, outermost first; empty for a step of the run itself. */
  readonly callers: readonly string[];
}

/** Step data for events. Times are epoch milliseconds. */
export interface StepInfo {
  readonly name: string;
  readonly stepRun: StepRunRef;
  readonly status: StepStatus;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly error: string | undefined;
  readonly host: string | undefined;
}
