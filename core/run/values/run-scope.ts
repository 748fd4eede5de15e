import path from 'node:path';
import type { JsonValue } from '../../base/json.ts';
import type { OutputRelay } from '../../process/launch/launcher.ts';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import type { NodeId } from '../../model/run/run-event.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { EnvEntry } from '../../model/workflow/values.ts';
import type { Masker } from '../../secrets/masker.ts';
import type { ConditionTools } from './conditions.ts';
import { expandNamed, expandValue, type ValueSources } from './resolve-values.ts';
import type { StepProperties } from './step-properties.ts';
import { runInShell } from './value-sources.ts';
import { resolveFolder } from './working-dir.ts';

/** Outputs a step may see, by variable name. */
export type Outputs = ReadonlyMap<string, JsonValue>;

/** A run's values, resolved. */
export interface ScopeParts {
  readonly workingDir: string;
  /** The folder that the workflow names, expanded, for machines where it may be another one than here. */
  readonly namedDir: string | undefined;
  /** `$1`, `$2`, … of shell steps. */
  readonly positional: readonly string[];
  readonly shell: readonly string[] | undefined;
  /** The filtered environment of this system, which comes before everything. */
  readonly system: Readonly<Record<string, string>>;
  /** What outputs of steps come before: `env`, dotenv, secrets. */
  readonly below: Readonly<Record<string, string>>;
  /** What comes before outputs: named parameters, the run's own variables. */
  readonly above: Readonly<Record<string, string>>;
  /** Where values come from; a command in one of them ends with the signal. */
  sources(signal: AbortSignal | undefined): ValueSources;
  /** Marks the commands in conditions. */
  readonly tag: string | undefined;
  readonly masker: Masker;
  /** What it hides, for those who hide it elsewhere; grows. */
  readonly masked: readonly string[];
  /** Adds to what is hidden. */
  addSecret(value: string): void;
  readonly steps: Pick<StepProperties, 'read' | 'list'>;
  /** Makes a step's folder when it is missing. Throws `WorkingDirError`. */
  ensureFolder(folder: string): void;
}

/** Everything the steps of one run share: folder, variables, shell, what is to be hidden. */
export class RunScope {
  readonly #parts: ScopeParts;
  readonly #positionalByName: Readonly<Record<string, string>>;
  readonly #sources: ValueSources;
  readonly #signal: AbortSignal | undefined;

  /** @param signal aborted when no value is wanted any more: ends the commands in values and conditions */
  constructor(parts: ScopeParts, signal?: AbortSignal) {
    this.#parts = parts;
    const byPlace = parts.positional.map((value, index) => [String(index + 1), value] as const);
    this.#positionalByName = Object.fromEntries(byPlace);
    this.#sources = parts.sources(signal);
    this.#signal = signal;
  }

  /** The same values, for somebody who wants them no longer than until the signal is aborted. */
  until(signal: AbortSignal): RunScope {
    return new RunScope(this.#parts, signal);
  }

  get workingDir(): string {
    return this.#parts.workingDir;
  }

  get positional(): readonly string[] {
    return this.#parts.positional;
  }

  /** The shell of a step, or of the run when the step names none: program and arguments, each expanded on its own. */
  async shellFor(
    named: readonly string[] | undefined,
    environment: Readonly<Record<string, string>>,
  ): Promise<readonly string[] | undefined> {
    const words = named ?? this.#parts.shell;
    return words && Promise.all(words.map((word) => this.expand(word, environment)));
  }

  /** How a step's output has to go through the engine, when secrets are to be hidden in it or files get a copy. */
  relay(copies: OutputRelay['copies']): OutputRelay | undefined {
    const { masker } = this.#parts;
    if (masker.isEmpty && copies.stdout === undefined && copies.stderr === undefined) return undefined;
    if (masker.isEmpty) return { copies };
    return { copies, mask: () => masker.stream(), hide: (text) => masker.mask(text) };
  }

  /** Hides a value from now on in all that is kept and shown of the run and of the runs it starts. */
  addSecret(value: string): void {
    this.#parts.addSecret(value);
  }

  /** A text or a JSON value as it may be kept and shown. */
  hide<Value extends JsonValue>(value: Value): Value {
    return this.#parts.masker.maskJson(value);
  }

  /**
   * The complete environment of one attempt, lowest first: the filtered system environment, the workflow's `env`,
   * dotenv, secrets, outputs of the steps before it, parameters, the run's own variables, the step's own entries.
   */
  async stepEnvironment(
    entries: readonly EnvEntry[],
    outputs: Outputs,
    extra: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const { system, below, above } = this.#parts;
    const shared = { ...system, ...below, ...outputTexts(outputs), ...above, ...extra };
    const { read } = this.#parts.steps;
    for (const { name, value } of entries)
      shared[name] = await expandNamed(name, value, shared, this.#sources, read, this.#positionalByName);
    return shared;
  }

  /** The same for an attempt on another machine: without what is of this one only, and without the step's own entries. */
  remoteEnvironment(outputs: Outputs, extra: Readonly<Record<string, string>>): Record<string, string> {
    const { below, above } = this.#parts;
    const { [logFileVariable]: _here, ...elsewhere } = above;
    return { ...below, ...outputTexts(outputs), ...elsewhere, ...extra };
  }

  /** The folder of a step on another machine, expanded: as it is named, and undefined when none is. */
  async remoteFolder(step: Step, environment: Readonly<Record<string, string>>): Promise<string | undefined> {
    const { namedDir } = this.#parts;
    if (step.dir === undefined) return namedDir;
    const own = await this.expand(step.dir, environment);
    const isWhole = path.isAbsolute(own) || own === '~' || own.startsWith('~/');
    return namedDir === undefined || isWhole ? own : path.join(namedDir, own);
  }

  /** What `${id.property}` stands for now, by `id.property`. */
  get properties(): Readonly<Record<string, string>> {
    return this.#parts.steps.list();
  }

  /** Values that are hidden in all that is kept and shown of the run. */
  get masked(): readonly string[] {
    return this.#parts.masked;
  }

  /** Expands a text against an environment made by `stepEnvironment`; `${1}` is a positional parameter. */
  expand(text: string, environment: Readonly<Record<string, string>>): Promise<string> {
    return expandValue(text, environment, this.#sources, this.#parts.steps.read, this.#positionalByName);
  }

  /** The step's folder, made when missing. Rejects with `WorkingDirError`. */
  async stepFolder(step: Step, environment: Readonly<Record<string, string>>): Promise<string> {
    if (step.dir === undefined) return this.workingDir;
    const folder = resolveFolder(await this.expand(step.dir, environment), this.workingDir);
    this.#parts.ensureFolder(folder);
    return folder;
  }

  /**
   * The folder that a sub-workflow of the step works in when it names none: the step's own, unless neither the step
   * nor its workflow names one.
   * @param folder of the step
   */
  folderForSubRuns(step: Step, folder: string): string | undefined {
    return step.dir === undefined && this.#parts.namedDir === undefined ? undefined : folder;
  }

  /**
   * What conditions need, with the environment and folder of a step or of the run itself.
   * @param shell of the step, as written; that of the run when absent
   */
  conditionTools(
    environment: Readonly<Record<string, string>>,
    cwd: string,
    shell?: readonly string[],
  ): ConditionTools {
    return {
      expand: (text) => this.expand(text, environment),
      warn: (message) => this.#sources.warn(message),
      runShell: async (command) => {
        const words = await this.shellFor(shell, environment);
        return runInShell({
          command,
          // A condition is text for a shell, also where the commands of the step are none.
          shell: words?.[0] === 'direct' ? undefined : words,
          positional: this.positional,
          env: environment,
          expand: (text) => this.expand(text, environment),
          cwd,
          signal: this.#signal,
          tag: this.#parts.tag,
        });
      },
    };
  }
}

/** The engine's own log of the run, on the machine of its host. */
export const logFileVariable = 'DAG_RUN_LOG_FILE';

/** Variables that tell a step where it runs. */
export function stepSpecials(node: NodeId, attemptPath: string, workingDir: string): Record<string, string> {
  const specials: Record<string, string> = { DAG_RUN_STEP_NAME: node.name, PWD: workingDir };
  if (node.section === 'handler') return specials;
  specials['DAG_RUN_STEP_STDOUT_FILE'] = path.join(attemptPath, attemptFiles.stdout);
  specials['DAG_RUN_STEP_STDERR_FILE'] = path.join(attemptPath, attemptFiles.stderr);
  return specials;
}

function outputTexts(outputs: Outputs): Record<string, string> {
  return Object.fromEntries(Array.from(outputs, ([name, value]) => [name, outputText(value)]));
}

/** An output as a variable's text: strings as they are, anything else as JSON. */
export const outputText = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
