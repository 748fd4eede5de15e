import { join, dirname } from 'node:path';
import { userInfo } from 'node:os';
import type { GhaConfig } from '../../model/executor-tables.ts';
import { Masker } from '../../process/secrets/masker.ts';
import type { StepContext, StepTask } from '../executor.ts';
import type { Progress } from './evaluate.ts';
import type { JobChanges } from './commands.ts';
import type { PrepareTools } from './instance.ts';
import type { ActionServer } from './git.ts';

/** Result of a part of a step: has an error message unless it succeeded. */
export interface ActionResult {
  readonly exitCode?: number;
  readonly error?: string;
}

/** Dependencies of a job. */
export interface JobOptions {
  readonly context: StepContext;
  readonly task: StepTask;
  readonly config: GhaConfig;
  /** Absolute path of a temporary folder of this attempt, deleted at its end. */
  readonly folder: string;
  /** Used to resolve actions that are found while the job runs. */
  readonly tools: PrepareTools;
  /** Variables that describe the run, lowest precedence first: see `toRunVariables`. */
  readonly known: Readonly<Record<string, string>>;
}

/** @param folder temporary folder of the attempt */
export const eventFileIn = (folder: string): string => join(folder, 'event.json');

/** One attempt of a step: the state that all actions of the step share. */
export class Job implements JobChanges {
  readonly context: StepContext;
  readonly task: StepTask;
  readonly config: GhaConfig;
  readonly folder: string;
  readonly tools: PrepareTools;
  /** Post stages of the actions that have started. They run in reverse order. */
  readonly posts: (() => Promise<ActionResult>)[] = [];
  /** Images built for the job, by Dockerfile. */
  readonly images = new Map<string, string>();
  /** Clean-up functions that run at the end of the job. They never reject. */
  readonly cleanups: (() => Promise<void>)[] = [];
  readonly #known: Readonly<Record<string, string>>;
  readonly #variables = new Map<string, string>();
  readonly #paths: string[] = [];
  readonly #masker = new Masker([]);
  #failed = false;
  #programs = 0;

  constructor(options: JobOptions) {
    this.context = options.context;
    this.task = options.task;
    this.config = options.config;
    this.folder = options.folder;
    this.tools = options.tools;
    this.#known = options.known;
  }

  /** Path of the empty event file. */
  get eventFile(): string {
    return eventFileIn(this.folder);
  }

  /** `RUNNER_TEMP`. */
  get temp(): string {
    return join(this.folder, 'temp');
  }

  get progress(): Progress {
    if (this.task.signal.aborted) return 'cancelled';
    return this.#failed ? 'failure' : 'success';
  }

  fail(): void {
    this.#failed = true;
  }

  /** Returns the path of a folder that no other program of the job uses. */
  nextFolder(): string {
    this.#programs += 1;
    return join(this.folder, `program-${this.#programs}`);
  }

  setVariable(name: string, value: string): void {
    this.#variables.set(name, value);
  }

  addPath(folder: string): void {
    this.#paths.unshift(folder);
  }

  addMask(value: string): void {
    this.#masker.add(value);
    this.context.maskSecrets(value);
  }

  /**
   * Returns the environment of a program: the run's variables, changes by earlier programs, the program's own
   * variables, and fixed variables that no action can override.
   */
  environment(
    programEnv: Readonly<Record<string, string>>,
    fixed: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const { context } = this;
    const merged: Record<string, string> = {
      ...this.#known,
      ...context.env,
      ...Object.fromEntries(this.#variables),
      ...programEnv,
      ...fixed,
    };
    if (this.#paths.length > 0) {
      const name = findVariable(merged, 'PATH') ?? 'PATH';
      const before = merged[name];
      const separator = process.platform === 'win32' ? ';' : ':';
      merged[name] = [...this.#paths, ...(before ? [before] : [])].join(separator);
    }
    return merged;
  }

  /** Masks text and writes it to the log. Resolves when there is room for more. */
  write(stream: 'stdout' | 'stderr', text: string): Promise<void> {
    return this.task.output.write(stream, Buffer.from(this.maskSecrets(text)));
  }

  /** Masks secrets in a string. */
  maskSecrets(text: string): string {
    return this.#masker.mask(text);
  }

  /** Writes a line of the engine to the log. */
  say(text: string): void {
    this.task.output.stdout(`${this.maskSecrets(text)}\n`);
  }

  warn(text: string): void {
    this.task.output.stderr(`Warning: ${this.maskSecrets(text)}\n`);
  }
}

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
function findVariable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  if (Object.hasOwn(env, name)) return name;
  if (process.platform !== 'win32') return undefined;
  return Object.keys(env).find((each) => each.toUpperCase() === name);
}

/**
 * Returns the variables that describe the run to an action. A step can override them with `env`, because only its
 * author knows which repository, commit and event the run is about.
 * @param eventFile absolute path of an empty event
 */
export function toRunVariables(
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
export function toRunnerVariables(
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
