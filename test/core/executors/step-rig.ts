import { RunResources } from '../../../core/executors/resources.ts';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ExecutorResult, RunningStep, StepContext } from '../../../core/executors/executor.ts';
import { startAction } from '../../../core/executors/registry.ts';
import type { Step, StepAction } from '../../../core/model/step.ts';
import { LocalLauncher } from '../../../core/process/local-launcher.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { buildStep } from '../../rig/build-step.ts';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';
import { until } from '../../rig/until.ts';

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
