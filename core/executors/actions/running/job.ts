import { join } from 'node:path';
import type { GhaConfig } from '../../../model/executors/gha.ts';
import { Masker } from '../../../secrets/masker.ts';
import type { StepContext, StepTask } from '../../executor.ts';
import type { Progress } from '../expressions/evaluate.ts';
import type { JobChanges } from '../messages/action-record.ts';
import type { PrepareTools } from './instance.ts';
import { findVariable } from './variables.ts';

/** Result of a part of a step: has an error message unless it succeeded. */
export interface ActionResult {
  readonly exitCode?: number;
  readonly error?: string;
}

/** Dependencies of a job. */
export interface JobDeps {
  readonly context: StepContext;
  readonly task: StepTask;
  readonly config: GhaConfig;
  /** Absolute path of a temporary folder of this attempt, deleted at its end. */
  readonly folder: string;
  /** Used to resolve actions that are found while the job runs. */
  readonly tools: PrepareTools;
  /** Variables that describe the run, lowest precedence first: see `describeRun`. */
  readonly known: Readonly<Record<string, string>>;
}

/** @param folder temporary folder of the attempt */
export const eventFileIn = (folder: string): string => join(folder, 'event.json');

/** One attempt of a step: the state that all actions of the step share. */
export class Job implements JobChanges {
  readonly deps: JobDeps;
  /** Post stages of the actions that have started. They run in reverse order. */
  readonly posts: (() => Promise<ActionResult>)[] = [];
  /** Images built for the job, by Dockerfile. */
  readonly images = new Map<string, string>();
  /** Clean-up functions that run at the end of the job. They never reject. */
  readonly cleanups: (() => Promise<void>)[] = [];
  readonly #variables = new Map<string, string>();
  readonly #paths: string[] = [];
  readonly #masker = new Masker([]);
  #failed = false;
  #programs = 0;

  constructor(deps: JobDeps) {
    this.deps = deps;
  }

  /** Path of the empty event file. */
  get eventFile(): string {
    return eventFileIn(this.deps.folder);
  }

  /** `RUNNER_TEMP`. */
  get temp(): string {
    return join(this.deps.folder, 'temp');
  }

  get progress(): Progress {
    if (this.deps.task.signal.aborted) return 'cancelled';
    return this.#failed ? 'failure' : 'success';
  }

  fail(): void {
    this.#failed = true;
  }

  /** Returns the path of a folder that no other program of the job uses. */
  nextFolder(): string {
    this.#programs += 1;
    return join(this.deps.folder, `program-${this.#programs}`);
  }

  setVariable(name: string, value: string): void {
    this.#variables.set(name, value);
  }

  addPath(folder: string): void {
    this.#paths.unshift(folder);
  }

  addMask(value: string): void {
    this.#masker.add(value);
    this.deps.context.maskSecrets(value);
  }

  /**
   * Returns the environment of a program: the run's variables, changes by earlier programs, the program's own
   * variables, and fixed variables that no action can override.
   */
  environment(
    ownEnv: Readonly<Record<string, string>>,
    fixed: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const { known, context } = this.deps;
    const merged: Record<string, string> = {
      ...known,
      ...context.env,
      ...Object.fromEntries(this.#variables),
      ...ownEnv,
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
    return this.deps.task.output.write(stream, Buffer.from(this.maskSecrets(text)));
  }

  /** Masks secrets in a string. */
  maskSecrets(text: string): string {
    return this.#masker.mask(text);
  }

  /** Writes a line of the engine to the log. */
  say(text: string): void {
    this.deps.task.output.stdout(`${this.maskSecrets(text)}\n`);
  }

  warn(text: string): void {
    this.deps.task.output.stderr(`Warning: ${this.maskSecrets(text)}\n`);
  }
}
