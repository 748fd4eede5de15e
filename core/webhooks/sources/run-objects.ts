import { toIso } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Trigger } from '../../model/run-event.ts';
import { progressOf } from './conclusions.ts';
import { senderNamed } from './people.ts';
import { describeRepository, ownBranch, ownRepository } from './places.ts';
import type { RunFacts, StepFacts } from './run-facts.ts';
import { stableId } from './stable-id.ts';

/** What a run was started by, in the words of workflow runs. */
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

/** Whether somebody started it by hand or by a call. */
export const isDispatched = ({ trigger }: RunFacts): boolean =>
  eventNames[trigger] === 'workflow_dispatch' && trigger !== 'migrated';

/** The commit of a run: its text, by the first 40 digits of its SHA-256. */
export const shaOf = ({ textHash }: RunFacts): string => textHash.slice(0, 40);

/** Path of a workflow in its repository. */
export const workflowPath = ({ dag, file }: RunFacts): string =>
  `dags/${file === undefined ? `${dag}.yaml` : (file.split(/[\\/]/).at(-1) ?? dag)}`;

const iso = (at: number | undefined): string | null => (at === undefined ? null : toIso(at));

/** The file that a run is of. */
export const describeWorkflow = (run: RunFacts): JsonObject => ({
  id: stableId(`workflow ${run.dag}`),
  name: run.dag,
  path: workflowPath(run),
  state: 'active',
});

/** A run as `workflow_run` shows it (seed 2, Events). */
export const describeRun = (run: RunFacts): JsonObject => ({
  id: run.key,
  name: run.dag,
  display_title: run.dag,
  path: workflowPath(run),
  run_id: run.dagRunId,
  run_number: run.key,
  run_attempt: run.attempt,
  event: eventNames[run.trigger],
  ...progressOf(run.status),
  workflow_id: stableId(`workflow ${run.dag}`),
  head_branch: ownBranch,
  head_sha: shaOf(run),
  head_commit: { id: shaOf(run), tree_id: shaOf(run), message: run.dag, timestamp: toIso(run.createdAt) },
  head_repository: describeRepository(ownRepository),
  repository: describeRepository(ownRepository),
  pull_requests: [],
  actor: senderNamed(run.startedBy),
  triggering_actor: senderNamed(run.startedBy),
  created_at: toIso(run.createdAt),
  run_started_at: toIso(run.startedAt ?? run.createdAt),
  updated_at: toIso(run.finishedAt ?? run.startedAt ?? run.createdAt),
  error: run.error ?? null,
});

const jobId = (run: RunFacts, step: StepFacts): number =>
  stableId(`job ${run.key} ${step.name} ${step.attempt}`);

/** A step as `workflow_job` shows it. */
export function describeJob(run: RunFacts, step: StepFacts): JsonObject {
  const progress = progressOf(step.status);
  const course = { started_at: iso(step.startedAt), completed_at: iso(step.finishedAt) };
  return {
    id: jobId(run, step),
    run_id: run.key,
    run_attempt: run.attempt,
    name: step.name,
    workflow_name: run.dag,
    head_branch: ownBranch,
    head_sha: shaOf(run),
    ...progress,
    created_at: toIso(step.startedAt ?? run.createdAt),
    ...course,
    labels: [],
    runner_id: step.host === undefined ? null : stableId(`runner ${step.host}`),
    runner_name: step.host ?? null,
    steps: step.startedAt === undefined ? [] : [{ name: step.name, number: 1, ...progress, ...course }],
  };
}

/** A step as `check_run` shows it. */
export const describeCheck = (run: RunFacts, step: StepFacts): JsonObject => ({
  id: jobId(run, step),
  name: step.name,
  head_sha: shaOf(run),
  external_id: `${run.dag}/${run.dagRunId}/${step.name}`,
  ...progressOf(step.status),
  started_at: toIso(step.startedAt ?? run.createdAt),
  completed_at: iso(step.finishedAt),
  output: { title: step.name, summary: step.error ?? null, text: null, annotations_count: 0 },
  pull_requests: [],
  check_suite: {
    id: run.key,
    head_branch: ownBranch,
    head_sha: shaOf(run),
    ...progressOf(run.status),
    pull_requests: [],
  },
  app: { id: stableId('app stepwright'), slug: 'stepwright', name: 'Stepwright' },
});

/** Parameters as inputs; null when there are none. */
export const describeInputs = ({ params }: RunFacts): JsonValue =>
  Object.keys(params).length === 0 ? null : { ...params };
