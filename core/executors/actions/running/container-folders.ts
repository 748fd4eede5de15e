import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ContainerRequest } from '../../container/run-container.ts';
import { commandFiles } from '../messages/file-commands.ts';
import type { Job } from './job.ts';

/** Paths of the folders inside a Docker action's container, the same as on GitHub Actions. */
export const inContainer = {
  workspace: '/github/workspace',
  event: '/github/workflow/event.json',
  home: '/github/home',
  files: '/github/file_commands',
  temp: '/github/runner_temp',
} as const;

/** Host folders that are mounted into a container. */
export interface ContainerFolders {
  readonly home: string;
  readonly mounts: NonNullable<ContainerRequest['mounts']>;
}

/**
 * @param files folder of the command files
 * @param eventFile path of the event file as the step specifies it
 */
export function containerFolders(job: Job, files: string, eventFile: string): ContainerFolders {
  const { context, folder } = job.deps;
  const home = join(folder, 'home');
  const sources = {
    workspace: context.workingDir,
    event: existsSync(eventFile) ? eventFile : job.eventFile,
    home,
    files,
    temp: job.temp,
  };
  const names = Object.keys(sources) as (keyof typeof sources)[];
  return { home, mounts: names.map((name) => ({ source: sources[name], target: inContainer[name] })) };
}

/** Variables that are only valid on this machine. */
const ownToMachine =
  /^(PATH|HOME|SHELL|PWD|GITHUB_ACTION_PATH|RUNNER_TOOL_CACHE|AGENT_TOOLSDIRECTORY|RUNNER_WORKSPACE|DAG_RUN_.*_FILE|ENGINE_.*)$/i;

/**
 * Returns the environment of a container: the environment of a program on this machine, with host paths replaced by
 * container paths.
 */
export function containerEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const passed = Object.entries(env).filter(([name]) => !ownToMachine.test(name));
  const files = Object.entries(commandFiles).map(([variable, name]) => [
    variable,
    `${inContainer.files}/${name}`,
  ]);
  return {
    ...Object.fromEntries(passed),
    ...(Object.fromEntries(files) as Record<string, string>),
    HOME: inContainer.home,
    GITHUB_WORKSPACE: inContainer.workspace,
    RUNNER_WORKSPACE: dirname(inContainer.workspace),
    RUNNER_TEMP: inContainer.temp,
    RUNNER_OS: 'Linux',
    GITHUB_EVENT_PATH: inContainer.event,
  };
}
