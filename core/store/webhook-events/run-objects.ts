import type { RunStatus, StepStatus } from '../../model/run.ts';
import { toIso } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Trigger } from '../../model/run-event.ts';
import {
  apiUrl,
  nodeId,
  pageUrl,
  toAccountObject,
  senderByName,
  accountId,
  addressIn,
  nameRepository,
  localBranch,
  localEnterprise,
  localRepository,
  stableId,
} from './repository.ts';
import type { RunInfo, StepInfo } from './run-webhook-events.ts';

/** Status and conclusion of a run or step, in GitHub's terms. */
export interface Progress {
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion: 'success' | 'failure' | 'cancelled' | 'skipped' | 'neutral' | null;
}

const progresses: Readonly<Record<StepStatus, Progress>> = {
  not_started: { status: 'queued', conclusion: null },
  queued: { status: 'queued', conclusion: null },
  running: { status: 'in_progress', conclusion: null },
  succeeded: { status: 'completed', conclusion: 'success' },
  partially_succeeded: { status: 'completed', conclusion: 'neutral' },
  failed: { status: 'completed', conclusion: 'failure' },
  aborted: { status: 'completed', conclusion: 'cancelled' },
  skipped: { status: 'completed', conclusion: 'skipped' },
};

const toProgress = (status: StepStatus): Progress => progresses[status];

/** State of a commit status. */
export type CommitState = 'pending' | 'success' | 'failure' | 'error';

/** Returns the commit state. An aborted run is an error, not a failure, because it does not depend on the commit. */
export function toCommitState(status: RunStatus): CommitState {
  const { conclusion } = toProgress(status);
  if (conclusion === null) return 'pending';
  if (conclusion === 'success' || conclusion === 'neutral') return 'success';
  return conclusion === 'failure' ? 'failure' : 'error';
}

/** State of a deployment. */
export type DeploymentState = 'queued' | 'in_progress' | 'success' | 'failure' | 'error';

export function toDeploymentState(status: RunStatus): DeploymentState {
  const progress = toProgress(status);
  if (progress.status !== 'completed') return progress.status;
  const state = toCommitState(status);
  return state === 'pending' ? 'in_progress' : state;
}

/** Events of workflow runs, by trigger. */
const eventNames: Readonly<Record<Trigger, string>> = {
  manual: 'workflow_dispatch',
  cli: 'workflow_dispatch',
  api: 'workflow_dispatch',
  schedule: 'schedule',
  webhook: 'repository_dispatch',
  parent: 'workflow_call',
  retry: 'workflow_dispatch',
  migrated: 'workflow_dispatch',
};

/** Whether it was started manually or through the API. */
export const isStartedManually = ({ trigger }: RunInfo): boolean =>
  eventNames[trigger] === 'workflow_dispatch' && trigger !== 'migrated';

/** Returns the commit of a run: the first 40 digits of the SHA-256 of its source. */
export const toSha = ({ textHash }: RunInfo): string => textHash.slice(0, 40);

/** Returns the path of a workflow in its repository. */
export const workflowPath = ({ dag, file }: RunInfo): string =>
  `dags/${file === undefined ? `${dag}.yaml` : (file.split(/[\\/]/).at(-1) ?? dag)}`;

const iso = (at: number | undefined): string | null => (at === undefined ? null : toIso(at));

/** Returns the workflow of a run as in payloads. */
export function toWorkflowObject(run: RunInfo): JsonObject {
  const id = workflowId(run);
  const path = workflowPath(run);
  return {
    id,
    node_id: nodeId('Workflow', id),
    name: run.dag,
    path,
    state: 'active',
    created_at: toIso(run.createdAt),
    updated_at: toIso(run.createdAt),
    url: here(`actions/workflows/${id}`),
    html_url: here(`blob/${localBranch}/${encodeURI(path)}`),
    badge_url: here(`actions/workflows/${id}/badge.svg`),
  };
}

const workflowId = ({ dag }: RunInfo): number => stableId(`workflow ${dag}`);
const here = (below: string): string => addressIn(localRepository, below);

/** The same in every payload. */
const home = nameRepository(localRepository);

/** The author of a run's source is unknown. */
const writer: JsonObject = { name: 'ghost', email: null };

/** Returns a run as in `workflow_run`. */
export const toRunObject = (run: RunInfo): JsonObject => ({
  ...nameRun(run),
  display_title: run.dag,
  run_id: run.dagRunId,
  head_commit: {
    id: toSha(run),
    tree_id: toSha(run),
    message: run.dag,
    timestamp: toIso(run.createdAt),
    author: writer,
    committer: writer,
  },
  head_repository: home,
  repository: home,
  error: run.error ?? null,
});

/** Returns a run without its repository, as in deployments. */
export function nameRun(run: RunInfo): JsonObject {
  const runPath = `actions/runs/${run.key}`;
  return {
    id: run.key,
    node_id: nodeId('WorkflowRun', run.key),
    name: run.dag,
    display_title: run.dag,
    path: workflowPath(run),
    run_number: run.key,
    run_attempt: run.attempt,
    event: eventNames[run.trigger],
    ...toProgress(run.status),
    workflow_id: workflowId(run),
    check_suite_id: run.key,
    check_suite_node_id: nodeId('CheckSuite', run.key),
    head_branch: localBranch,
    head_sha: toSha(run),
    pull_requests: [],
    actor: senderByName(run.startedBy),
    triggering_actor: senderByName(run.startedBy),
    referenced_workflows: [],
    created_at: toIso(run.createdAt),
    run_started_at: toIso(run.startedAt ?? run.createdAt),
    updated_at: toIso(run.finishedAt ?? run.startedAt ?? run.createdAt),
    url: here(runPath),
    html_url: pageUrl(run.dag, run.dagRunId),
    jobs_url: here(`${runPath}/jobs`),
    logs_url: here(`${runPath}/logs`),
    artifacts_url: here(`${runPath}/artifacts`),
    cancel_url: here(`${runPath}/cancel`),
    rerun_url: here(`${runPath}/rerun`),
    previous_attempt_url: run.attempt === 1 ? null : here(`${runPath}/attempts/${run.attempt - 1}`),
    workflow_url: here(`actions/workflows/${workflowId(run)}`),
    check_suite_url: here(`check-suites/${run.key}`),
  };
}

/** Returns the job id: one job per step and run attempt, including retries and repetitions of the step. */
const jobId = (run: RunInfo, { stepRun, name }: StepInfo): number =>
  stableId(`job ${stepRun.key} ${run.attempt} ${name}`);

/** Returns the name of a step, prefixed by the calling steps for a sub-run. */
const jobName = ({ stepRun, name }: StepInfo): string => [...stepRun.callers, name].join(' / ');

const stepPage = ({ stepRun, name }: StepInfo): string => pageUrl(stepRun.dag, stepRun.dagRunId, name);

/** Returns a step as in `workflow_job`. */
export function toJobObject(run: RunInfo, step: StepInfo): JsonObject {
  const { status, conclusion } = toProgress(step.status);
  // Jobs have no "neutral" conclusion; dependents of a partially succeeded step continue.
  const progress = { status, conclusion: conclusion === 'neutral' ? 'success' : conclusion };
  const course = { started_at: iso(step.startedAt), completed_at: iso(step.finishedAt) };
  const id = jobId(run, step);
  return {
    id,
    node_id: nodeId('CheckRun', id),
    run_id: run.key,
    run_url: here(`actions/runs/${run.key}`),
    run_attempt: run.attempt,
    name: jobName(step),
    workflow_name: run.dag,
    head_branch: localBranch,
    head_sha: toSha(run),
    url: here(`actions/jobs/${id}`),
    html_url: stepPage(step),
    check_run_url: here(`check-runs/${id}`),
    ...progress,
    created_at: toIso(step.startedAt ?? run.createdAt),
    started_at: toIso(step.startedAt ?? step.finishedAt ?? run.createdAt),
    completed_at: course.completed_at,
    labels: [],
    runner_id: step.host === undefined ? null : stableId(`runner ${step.host}`),
    runner_name: step.host ?? null,
    runner_group_id: null,
    runner_group_name: null,
    steps: step.startedAt === undefined ? [] : [{ name: step.name, number: 1, ...progress, ...course }],
  };
}

/** Returns a step as in `check_run`. */
export function toCheckObject(run: RunInfo, step: StepInfo): JsonObject {
  const id = jobId(run, step);
  return {
    id,
    node_id: nodeId('CheckRun', id),
    name: jobName(step),
    head_sha: toSha(run),
    external_id: `${step.stepRun.dag}/${step.stepRun.dagRunId}/${step.name}`,
    url: here(`check-runs/${id}`),
    html_url: stepPage(step),
    details_url: stepPage(step),
    ...toProgress(step.status),
    started_at: toIso(step.startedAt ?? run.createdAt),
    completed_at: iso(step.finishedAt),
    output: {
      title: step.name,
      summary: step.error ?? null,
      text: null,
      annotations_count: 0,
      annotations_url: here(`check-runs/${id}/annotations`),
    },
    pull_requests: [],
    check_suite: toSuiteObject(run),
    app: engine,
  };
}

const toSuiteObject = (run: RunInfo): JsonObject => ({
  id: run.key,
  node_id: nodeId('CheckSuite', run.key),
  url: here(`check-suites/${run.key}`),
  head_branch: localBranch,
  head_sha: toSha(run),
  before: null,
  after: toSha(run),
  ...toProgress(run.status),
  pull_requests: [],
  created_at: toIso(run.createdAt),
  updated_at: toIso(run.finishedAt ?? run.startedAt ?? run.createdAt),
});

const engineId = stableId('app stepwright');
const engineSince = '2026-01-01T00:00:00.000Z';

/** The app of checks: this engine. */
const engine: JsonObject = {
  id: engineId,
  node_id: nodeId('App', engineId),
  slug: 'stepwright',
  name: 'Stepwright',
  owner: toAccountObject(localEnterprise, accountId(localEnterprise), 'Organization'),
  description: null,
  external_url: apiUrl('apps/stepwright'),
  html_url: apiUrl('apps/stepwright'),
  created_at: engineSince,
  updated_at: engineSince,
  permissions: { actions: 'write', checks: 'write', statuses: 'write' },
  events: [],
};

/** Returns parameters as inputs; null if there are none. */
export const toInputsObject = ({ params }: RunInfo): JsonValue =>
  Object.keys(params).length === 0 ? null : { ...params };
