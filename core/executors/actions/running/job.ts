import { join } from 'node:path';
import type { GhaConfig } from '../../../model/executors/gha.ts';
import { Masker } from '../../../secrets/masker.ts';
import type { StepContext, StepTask } from '../../executor.ts';
import type { Progress } from '../expressions/evaluate.ts';
import type { SharedChanges } from '../messages/action-record.ts';
import type { PrepareTools } from './instance.ts';
import { findVariable } from './variables.ts';

/** How a part of a step ended: with an error in words unless all is well. */
export interface PartEnd {
  readonly exitCode?: number;
  readonly error?: string;
}

/** What a job is made of. */
export interface JobParts {
  readonly context: StepContext;
  readonly task: StepTask;
  readonly config: GhaConfig;
  /** Absolute, of this attempt alone, removed when it ends. */
  readonly folder: string;
  /** For actions that are found on the way. */
  readonly tools: PrepareTools;
  /** What is known of the run, lowest precedence first: see `describeRun`. */
  readonly known: Readonly<Record<string, string>>;
}

/** @param folder of an attempt's actions */
export const eventFileIn = (folder: string): string => join(folder, 'event.json');

/** One attempt of a step: what all actions that run in it share. */
export class Job implements SharedChanges {
  readonly parts: JobParts;
  /** Ends of actions that have begun, for their order of clean-up: the last one first. */
  readonly posts: (() => Promise<PartEnd>)[] = [];
  /** Images built for the job, by their Dockerfile. */
  readonly images = new Map<string, string>();
  /** What is given back when the job has ended. None of them rejects. */
  readonly closers: (() => Promise<void>)[] = [];
  readonly #variables = new Map<string, string>();
  readonly #paths: string[] = [];
  readonly #masker = new Masker([]);
  #failed = false;
  #programs = 0;

  constructor(parts: JobParts) {
    this.parts = parts;
  }

  /** An event that says nothing. */
  get eventFile(): string {
    return eventFileIn(this.parts.folder);
  }

  /** `RUNNER_TEMP`. */
  get temp(): string {
    return join(this.parts.folder, 'temp');
  }

  get progress(): Progress {
    if (this.parts.task.signal.aborted) return 'cancelled';
    return this.#failed ? 'failure' : 'success';
  }

  fail(): void {
    this.#failed = true;
  }

  /** A folder that no other program of the job has. */
  nextFolder(): string {
    this.#programs += 1;
    return join(this.parts.folder, `program-${this.#programs}`);
  }

  setVariable(name: string, value: string): void {
    this.#variables.set(name, value);
  }

  addPath(folder: string): void {
    this.#paths.unshift(folder);
  }

  addMask(value: string): void {
    this.#masker.add(value);
    this.parts.context.hide(value);
  }

  /**
   * The variables of a program: the run's, what earlier programs have set, the ones of its own, and over all of them
   * what no action can change.
   */
  environment(
    own: Readonly<Record<string, string>>,
    fixed: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const { known, context } = this.parts;
    const merged: Record<string, string> = {
      ...known,
      ...context.env,
      ...Object.fromEntries(this.#variables),
      ...own,
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

  /** Text for the log, with what is to be hidden hidden. Resolves when there is room for more. */
  write(stream: 'stdout' | 'stderr', text: string): Promise<void> {
    return this.parts.task.output.write(stream, Buffer.from(this.hide(text)));
  }

  /** Text without what is to be hidden. */
  hide(text: string): string {
    return this.#masker.mask(text);
  }

  /** A line of the engine's own. */
  say(text: string): void {
    this.parts.task.output.stdout(`${this.hide(text)}\n`);
  }

  warn(text: string): void {
    this.parts.task.output.stderr(`Warning: ${this.hide(text)}\n`);
  }
}
