import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { RunResources } from '../../../core/executors/resources.ts';
import type { ExecutorResult, RunningStep, StepContext } from '../../../core/executors/executor.ts';
import { startAction } from '../../../core/executors/registry.ts';
import type { Step, StepAction } from '../../../core/model/step.ts';
import { LocalLauncher } from '../../../core/process/local-launcher.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import type { JqJob } from '../../../core/executors/jq/jq-job.ts';
import { buildStep } from '../../harness/samples.ts';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';
import { statusesOf, stdoutOf, TestEngine, type RunView } from '../../harness/engine.ts';
import type { TestContainerEngine } from '../../harness/servers/containers.ts';

/** Options of a step and its context. */
export interface StepChoice extends Partial<
  Pick<
    StepContext,
    | 'positional'
    | 'shell'
    | 'cleanUpMs'
    | 'clock'
    | 'workingDir'
    | 'relay'
    | 'subRuns'
    | 'approvals'
    | 'smtp'
    | 'resources'
    | 'cacheDir'
    | 'databases'
  >
> {
  readonly step?: Partial<Step>;
  readonly env?: Record<string, string>;
  /** How `expand` resolves text; by default to the text itself. */
  readonly expand?: (text: string) => string;
}

/** An attempt of a real step. */
export interface StartedStep extends RunningStep {
  readonly workingDir: string;
  readonly attemptDir: string;
  readonly spawned: { pid: number; pidStart: string }[];
  stdout(): string;
  stderr(): string;
  /** Files in the attempt's directory. */
  files(): string[];
  ready(): Promise<void>;
}

/** Starts one attempt with a separate working directory. Whatever is left of it is killed when the test ends. */
export function startStep(action: StepAction, choice: StepChoice = {}): StartedStep {
  const folder = makeTemporaryFolder();
  const attemptDir = join(folder, 'run', 'step.1');
  const workingDir = join(folder, 'work');
  mkdirSync(attemptDir, { recursive: true });
  mkdirSync(workingDir);
  const spawned: StartedStep['spawned'] = [];
  const resources = new RunResources();
  const { step, env, expand = (text: string) => text, ...rest } = choice;
  const running = startAction({
    step: buildStep('step', { action, ...step }),
    env: { PATH: process.env.PATH ?? '', ...env },
    workingDir,
    positional: [],
    attemptDir,
    cacheDir: join(folder, 'cache'),
    cleanUpMs: 60_000,
    clock: systemClock,
    launcher: new LocalLauncher(systemClock),
    // A test's own expansion may throw, as a failing substitution does.
    expand: async (text) => expand(text),
    maskSecrets: () => {},
    onSpawned: (pid, pidStart) => spawned.push({ pid, pidStart }),
    approvals: { ask: () => Promise.reject(new Error('this test has nobody to ask')) },
    subRuns: { start: () => Promise.reject(new Error('this test has no other workflows')) },
    smtp: [],
    resources,
    databases: { open: () => Promise.reject(new Error('this test has no database')) },
    ...rest,
  });
  onTestFinished(async () => {
    running.kill();
    await running.ended;
    await resources.close();
  });
  const read = (file: string): string => readFileSync(join(attemptDir, file), 'utf8');
  return Object.assign(running, {
    workingDir,
    attemptDir,
    spawned,
    stdout: () => read('stdout.log'),
    stderr: () => read('stderr.log'),
    files: () => readdirSync(attemptDir).sort(),
    ready: () =>
      until(() => existsSync(join(attemptDir, 'stdout.log')) && read('stdout.log').includes('ready\n')),
  } satisfies Omit<StartedStep, keyof RunningStep>);
}

/** Runs a step to its end. */
export async function runStep(
  action: StepAction,
  choice?: StepChoice,
): Promise<{ end: ExecutorResult; stdout: string; stderr: string; step: StartedStep }> {
  const step = startStep(action, choice);
  const end = await step.ended;
  return { end, stdout: step.stdout(), stderr: step.stderr(), step };
}

/** A workflow whose steps use the container engine of the test; containers need no network there. */
export const workflowFor = (engine: TestContainerEngine, fields: Readonly<Record<string, unknown>>): string =>
  stringify({ ...fields, env: [{ DOCKER_HOST: engine.host }, ...((fields['env'] as []) ?? [])] });

/** Result of a run, as far as tests check it. */
export interface FinishedRun {
  readonly view: RunView;
  readonly statuses: Readonly<Record<string, string>>;
  stdout(step: string): string;
  stderr(step: string): string;
  /** The newest attempt's exit code and error. */
  end(step: string): { readonly exitCode?: number | undefined; readonly error?: string | undefined };
}

/** Runs a workflow to its end. */
export async function runWorkflow(
  engine: TestContainerEngine,
  fields: Readonly<Record<string, unknown>>,
  host = new TestEngine(),
): Promise<FinishedRun> {
  return toFinishedRun(await host.run(workflowFor(engine, fields)));
}

/** A run that has ended. */
export function toFinishedRun(view: RunView): FinishedRun {
  const attemptOf = (name: string) => {
    const step = [...view.steps, ...view.handlers].find((candidate) => candidate.name === name);
    return step!.attempts.at(-1)!;
  };
  return {
    view,
    statuses: statusesOf(view),
    stdout: (step) => stdoutOf(view, step),
    stderr: (step) => readFileSync(attemptOf(step).stderrFile, 'utf8'),
    end: (step) => attemptOf(step),
  };
}

/** A query of one input, without options. */
export const jqJob = (query: string, input: string): JqJob => ({
  query,
  inputName: '<input>',
  input: new TextEncoder().encode(input),
  texts: {},
  values: {},
  env: {},
  raw: false,
  compact: false,
  nullInput: false,
  slurp: false,
  memoryBytes: 256 * 1024 * 1024,
});
