import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { StepContext } from '../../executor.ts';
import type { ActionServer } from '../repository/server.ts';

/** GitHub's names of operating systems and architectures. */
const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
};
const processors: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'X64',
  ia32: 'X86',
  arm64: 'ARM64',
  arm: 'ARM',
};

/** Finds the name of a variable in the environment, ignoring case on Windows. */
export function findVariable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  if (Object.hasOwn(env, name)) return name;
  if (process.platform !== 'win32') return undefined;
  return Object.keys(env).find((each) => each.toUpperCase() === name);
}

/**
 * Returns the variables that describe the run to an action. A step can override them with `env`, because only its
 * author knows which repository, commit and event the run is about.
 * @param eventFile absolute path of an empty event
 */
export function describeRun(
  { env, step }: Pick<StepContext, 'env' | 'step'>,
  server: ActionServer,
  eventFile: string,
): Record<string, string> {
  const user = readUser();
  return {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTOR: user,
    GITHUB_TRIGGERING_ACTOR: user,
    GITHUB_SERVER_URL: server.url,
    GITHUB_API_URL: server.apiUrl,
    GITHUB_GRAPHQL_URL: server.graphqlUrl,
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_WORKFLOW: env['DAG_NAME'] ?? '',
    GITHUB_JOB: step.name,
    GITHUB_RUN_ID: env['DAG_RUN_ID'] ?? '',
    GITHUB_RUN_NUMBER: '1',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RETENTION_DAYS: '0',
    RUNNER_NAME: 'stepwright',
    RUNNER_ENVIRONMENT: 'self-hosted',
  };
}

/** Returns the variables that no step and no action can override. */
export function describeRunner(
  { workingDir, cacheDir }: Pick<StepContext, 'workingDir' | 'cacheDir'>,
  temp: string,
): Record<string, string> {
  const tools = toolCache(cacheDir);
  return {
    GITHUB_WORKSPACE: workingDir,
    RUNNER_WORKSPACE: dirname(workingDir),
    RUNNER_TEMP: temp,
    RUNNER_TOOL_CACHE: tools,
    AGENT_TOOLSDIRECTORY: tools,
    RUNNER_OS: systems[process.platform] ?? process.platform,
    RUNNER_ARCH: processors[process.arch] ?? process.arch,
  };
}

/** Returns the folder where actions cache installed tools across all runs. */
export const toolCache = (cacheDir: string): string => join(cacheDir, 'tools');

function readUser(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the user database, as in some containers.
    return '';
  }
}
