import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { DatabasePort, StepContext } from '../../executors/executor.ts';
import { RunResources } from '../../executors/resources.ts';
import { expandWithHome, filterEnvironment } from '../../process/environment.ts';
import type { OutputRelay, ProcessLauncher } from '../../process/launcher.ts';
import { expandValue, valueSources } from '../../run/values/resolve-values.ts';
import { specialStepVariables } from '../../run/values/run-scope.ts';
import { ensureFolder, resolveFolder } from '../../run/values/files.ts';
import { Masker } from '../../process/secrets/masker.ts';
import type { TaskLease } from '../../store/types/dispatch.ts';
import type { RemoteTask } from '../../run/remote/remote-task.ts';
import type { TaskPaths } from './worker-folder.ts';

/** Dependencies for attempts of a worker. */
export interface ContextTools {
  readonly clock: Clock;
  readonly launcher: ProcessLauncher;
  readonly databases: DatabasePort;
  /** Absolute path; may not exist. */
  readonly cacheDir: string;
  /** The worker's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  warn(message: string): void;
}

/** Values masked in the output of an attempt, including those that its step adds. */
export class MaskedValues {
  readonly masker: Masker;
  readonly #added: string[] = [];

  constructor(masked: readonly string[]) {
    this.masker = new Masker(masked);
  }

  readonly add = (value: string): void => {
    this.masker.add(value);
    this.#added.push(value);
  };

  /** Returns the values that the step added. */
  get added(): readonly string[] {
    return this.#added;
  }
}

/** Input of one attempt. */
export interface TaskContextInput {
  readonly lease: TaskLease;
  readonly task: RemoteTask;
  readonly paths: TaskPaths;
  readonly hidden: MaskedValues;
  /** Aborted to end the attempt, including commands in values. */
  readonly signal: AbortSignal;
  onSpawned(pid: number, pidStart: string): void;
}

/** Returns the absolute path of the attempt's working directory. */
export const getWorkingDir = ({ workingDir }: RemoteTask, paths: TaskPaths): string =>
  workingDir === undefined ? paths.work : resolveFolder(workingDir, paths.work);

/** Whether output passes through the worker process, so that the step cannot outlive it. */
export const isRelayed = ({ step }: RemoteTask, { masker }: MaskedValues): boolean =>
  step.terminal !== undefined || !masker.isEmpty || step.stdout !== undefined || step.stderr !== undefined;

/**
 * Builds the context of a task's executor: the worker's environment as far as steps may see it, overridden by the
 * host's values, then by the step's entries. Rejects if a value or directory is not available.
 */
export async function buildTaskContext(tools: ContextTools, input: TaskContextInput): Promise<StepContext> {
  const { task, paths, lease, hidden, signal } = input;
  const { step, node, positional } = task;
  const workingDir = getWorkingDir(task, paths);
  ensureFolder(workingDir);
  const expander = makeExpander(tools, input, workingDir);
  const env: Record<string, string> = {
    ...filterEnvironment(tools.environment),
    ...task.env,
    ...specialStepVariables(node, paths.attempt, workingDir),
    ENGINE_FENCE: String(lease.fence),
  };
  for (const { name, value } of step.env)
    env[name] = await expandWithHome(value, (text) => expander(text, env));
  env['PWD'] = workingDir;
  const expand = (text: string): Promise<string> => expander(text, env);
  const expandCopy = async (template: string | undefined): Promise<string | undefined> =>
    template === undefined ? undefined : resolveFolder(await expand(template), workingDir);
  const copies = { stdout: await expandCopy(step.stdout), stderr: await expandCopy(step.stderr) };
  signal.throwIfAborted();
  return {
    step: step.shell === undefined || task.shell === undefined ? step : { ...step, shell: [...task.shell] },
    env,
    workingDir,
    ...(task.shell && { shell: task.shell }),
    positional,
    attemptDir: paths.attempt,
    cacheDir: tools.cacheDir,
    databases: tools.databases,
    cleanUpMs: task.cleanUpMs,
    clock: tools.clock,
    launcher: tools.launcher,
    expand,
    relay: relayFor(hidden.masker, copies),
    onSpawned: input.onSpawned,
    subRuns: {
      start: () => Promise.reject(new Error('workers cannot start runs of other workflows')),
    },
    approvals: { ask: () => Promise.reject(new Error('workers cannot request approvals')) },
    maskSecrets: hidden.add,
    smtp: task.smtp,
    registryAuths: task.registryAuths,
    resources: new RunResources(),
  };
}

type Expander = (text: string, env: Readonly<Record<string, string>>) => Promise<string>;

function makeExpander(
  { environment, warn }: ContextTools,
  { task, paths, signal }: TaskContextInput,
  workingDir: string,
): Expander {
  const tag = path.join(paths.folder, '@values');
  const sources = valueSources({ environment, warn, signal, tag }, workingDir);
  const positional = Object.fromEntries(task.positional.map((value, index) => [String(index + 1), value]));
  const property = (id: string, name: string): string | undefined => {
    const value = task.properties[`${id}.${name}`];
    return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
  };
  return (text, env) => expandValue(text, { ...positional, ...env }, sources, property);
}

function relayFor(masker: Masker, copies: OutputRelay['copies']): OutputRelay | undefined {
  if (masker.isEmpty)
    return copies.stdout === undefined && copies.stderr === undefined ? undefined : { copies };
  return { copies, mask: () => masker.stream(), maskSecrets: (text) => masker.mask(text) };
}
