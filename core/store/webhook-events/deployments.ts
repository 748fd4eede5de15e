import { toIso } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import {
  apiUrl,
  nodeId,
  pageUrl,
  senderByName,
  addressIn,
  localBranch,
  localRepository,
  stableId,
} from './repository.ts';
import { toDeploymentState, toWorkflowObject, nameRun, toSha, toCommitState } from './run-objects.ts';
import type { RunInfo } from './run-webhook-events.ts';

/** Tag of workflows whose runs are deployments: `deployment=production`. */
const deploymentTag = 'deployment=';

/** Returns the environments that a run deploys to. */
const listEnvironments = ({ tags }: RunInfo): string[] =>
  tags
    .filter((tag) => tag.startsWith(deploymentTag))
    .map((tag) => tag.slice(deploymentTag.length).trim())
    .filter((environment) => environment !== '');

/** Returns the payloads of `deployment`, one per environment. */
export const listDeployments = (run: RunInfo): JsonObject[] =>
  listEnvironments(run).map((environment) => ({
    action: 'created',
    deployment: toDeploymentObject(run, environment, run.createdAt),
    workflow: toWorkflowObject(run),
    workflow_run: nameRun(run),
  }));

/** Returns the payloads of `deployment_status`, one per environment. */
export const listDeploymentStatuses = (run: RunInfo, at: number): JsonObject[] =>
  listEnvironments(run).map((environment) => ({
    action: 'created',
    deployment_status: toDeploymentStatusObject(run, environment, at),
    deployment: toDeploymentObject(run, environment, at),
    check_run: null,
    workflow: toWorkflowObject(run),
    workflow_run: nameRun(run),
  }));

function toDeploymentObject(run: RunInfo, environment: string, at: number): JsonObject {
  const id = deploymentId(run, environment);
  return {
    id,
    node_id: nodeId('Deployment', id),
    sha: toSha(run),
    ref: localBranch,
    task: 'deploy',
    environment,
    original_environment: environment,
    description: null,
    payload: {},
    creator: senderByName(run.startedBy),
    url: deploymentAddress(run, environment),
    statuses_url: `${deploymentAddress(run, environment)}/statuses`,
    repository_url: repositoryAddress,
    created_at: toIso(run.createdAt),
    updated_at: toIso(at),
  };
}

function toDeploymentStatusObject(run: RunInfo, environment: string, at: number): JsonObject {
  const state = toDeploymentState(run.status);
  const id = stableId(`deployment status ${run.key} ${environment} ${state}`);
  return {
    id,
    node_id: nodeId('DeploymentStatus', id),
    state,
    environment,
    description: run.error ?? '',
    target_url: pageUrl(run.dag, run.dagRunId),
    log_url: pageUrl(run.dag, run.dagRunId),
    creator: senderByName(run.startedBy),
    url: `${deploymentAddress(run, environment)}/statuses/${id}`,
    deployment_url: deploymentAddress(run, environment),
    repository_url: repositoryAddress,
    created_at: toIso(run.createdAt),
    updated_at: toIso(at),
  };
}

const deploymentId = (run: RunInfo, environment: string): number =>
  stableId(`deployment ${run.key} ${environment}`);

const deploymentAddress = (run: RunInfo, environment: string): string =>
  addressIn(localRepository, `deployments/${deploymentId(run, environment)}`);

const repositoryAddress = apiUrl(`repos/${localRepository}`);

/** Returns the payload of `status`: the outcome of a run for its commit, which is its workflow source. */
export function toStatusObject(run: RunInfo, at: number): JsonObject {
  const sha = toSha(run);
  const state = toCommitState(run.status);
  return {
    id: stableId(`status ${run.key} ${run.attempt} ${state}`),
    sha,
    name: localRepository,
    state,
    context: run.dag,
    description: run.error ?? null,
    target_url: null,
    avatar_url: null,
    branches: [{ name: localBranch, commit: { sha, url: here(`commits/${sha}`) }, protected: false }],
    commit: toCommitObject(run, sha),
    created_at: toIso(run.createdAt),
    updated_at: toIso(at),
  };
}

/** Returns the commit, which is unsigned and has an unknown author. */
function toCommitObject(run: RunInfo, sha: string): JsonObject {
  const writer = { name: 'ghost', email: 'ghost@stepwright.invalid', date: toIso(run.createdAt) };
  return {
    sha,
    node_id: nodeId('Commit', stableId(sha)),
    commit: {
      message: run.dag,
      author: writer,
      committer: writer,
      tree: { sha, url: here(`git/trees/${sha}`) },
      url: here(`git/commits/${sha}`),
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    url: here(`commits/${sha}`),
    html_url: here(`commits/${sha}`),
    comments_url: here(`commits/${sha}/comments`),
    author: null,
    committer: null,
    parents: [],
  };
}

const here = (below: string): string => addressIn(localRepository, below);
