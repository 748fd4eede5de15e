import { toIso } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RunEvent } from '../../model/run-event.ts';
import { commitStateOf, deploymentStateOf } from './conclusions.ts';
import { ghost, senderNamed } from './people.ts';
import { describeRepository, ownBranch, ownRepository } from './places.ts';
import type { RunFacts, StepFacts } from './run-facts.ts';
import {
  describeCheck,
  describeInputs,
  describeJob,
  describeRun,
  describeWorkflow,
  isDispatched,
  shaOf,
  workflowPath,
} from './run-objects.ts';
import { stableId } from './stable-id.ts';

/** An event to be told, without what the store adds. */
export interface RunOccurrence {
  readonly event: string;
  readonly payload: JsonObject;
}

/** Events of runs that somebody may want to be told of. */
const toldTypes = [
  'run.created',
  'run.retried',
  'run.started',
  'run.finished',
  'step.started',
  'step.finished',
  'step.settled',
] as const satisfies readonly RunEvent['type'][];
type ToldType = (typeof toldTypes)[number];

/** Whether anything is told of it. */
export const isTold = (event: RunEvent): event is Extract<RunEvent, { type: ToldType }> =>
  (toldTypes as readonly RunEvent['type'][]).includes(event.type);

/**
 * What webhooks are told of something that has happened to a run: the run is a workflow run, its steps are jobs and
 * checks, its text is the commit that has a status (seed 2, Events).
 * @param step the step that it happened to, after it has
 */
export function listOccurrences(
  event: Extract<RunEvent, { type: ToldType }>,
  at: number,
  run: RunFacts,
  step?: StepFacts,
): RunOccurrence[] {
  const told = (name: string, payload: JsonObject, sender = senderNamed(run.startedBy)): RunOccurrence => ({
    event: name,
    payload: { ...payload, repository: describeRepository(ownRepository), sender },
  });
  const ofRun = (action: string): RunOccurrence =>
    told('workflow_run', { action, workflow_run: describeRun(run), workflow: describeWorkflow(run) });
  switch (event.type) {
    case 'run.created':
      return [
        ...(isDispatched(run) ? [told('workflow_dispatch', describeDispatch(run))] : []),
        ofRun('requested'),
        told('status', describeStatus(run, at)),
        ...listDeployments(run, at, told),
      ];
    case 'run.retried':
      return [ofRun('requested'), told('status', describeStatus(run, at))];
    case 'run.started':
      return [ofRun('in_progress'), ...listDeployments(run, at, told)];
    case 'run.finished':
      return [ofRun('completed'), told('status', describeStatus(run, at)), ...listDeployments(run, at, told)];
    case 'step.started':
    case 'step.finished':
    case 'step.settled': {
      if (step === undefined) return [];
      const begins = event.type === 'step.started';
      const job = { action: begins ? 'in_progress' : 'completed', workflow_job: describeJob(run, step) };
      const check = { action: begins ? 'created' : 'completed', check_run: describeCheck(run, step) };
      // A check has no actor of its own (seed 2, Common payload properties).
      return [told('workflow_job', job), told('check_run', check, ghost)];
    }
  }
}

const describeDispatch = (run: RunFacts): JsonObject => ({
  inputs: describeInputs(run),
  ref: `refs/heads/${ownBranch}`,
  workflow: workflowPath(run),
});

function describeStatus(run: RunFacts, at: number): JsonObject {
  const sha = shaOf(run);
  const state = commitStateOf(run.status);
  return {
    id: stableId(`status ${run.key} ${run.attempt} ${state}`),
    sha,
    name: ownRepository,
    state,
    context: run.dag,
    description: run.error ?? null,
    target_url: null,
    avatar_url: null,
    branches: [{ name: ownBranch, commit: { sha }, protected: false }],
    commit: { sha, commit: { message: run.dag }, author: null, committer: null, parents: [] },
    created_at: toIso(run.createdAt),
    updated_at: toIso(at),
  };
}

/** The tag by which a workflow says that its runs deploy: `deployment=production`. */
const deploymentTag = 'deployment=';

function listDeployments(
  run: RunFacts,
  at: number,
  told: (event: string, payload: JsonObject) => RunOccurrence,
): RunOccurrence[] {
  const environments = run.tags
    .filter((tag) => tag.startsWith(deploymentTag))
    .map((tag) => tag.slice(deploymentTag.length).trim())
    .filter((environment) => environment !== '');
  return environments.map((environment) => {
    const id = stableId(`deployment ${run.key} ${environment}`);
    const state = deploymentStateOf(run.status);
    const times = { created_at: toIso(run.createdAt), updated_at: toIso(at) };
    return told('deployment_status', {
      action: 'created',
      deployment_status: {
        id: stableId(`deployment status ${run.key} ${environment} ${state}`),
        state,
        environment,
        description: run.error ?? '',
        target_url: '',
        log_url: '',
        creator: senderNamed(run.startedBy),
        ...times,
      },
      deployment: {
        id,
        sha: shaOf(run),
        ref: ownBranch,
        task: 'deploy',
        environment,
        original_environment: environment,
        payload: {},
        creator: senderNamed(run.startedBy),
        ...times,
      },
      check_run: null,
      workflow: describeWorkflow(run),
      workflow_run: describeRun(run),
    });
  });
}
