import path from 'node:path';
import type { JsonValue } from '../../base/json.ts';
import type { OutputRelay } from '../../process/launcher.ts';
import { attemptFiles, type RunRef } from '../../model/run.ts';
import type { NodeId } from '../../model/run-event.ts';
import type { Step, EnvEntry } from '../../model/step.ts';
import type { Masker } from '../../process/secrets/masker.ts';
import type { ConditionTools } from './conditions.ts';
import { expandNamed, expandValue, type ValueSources, runInShell } from './resolve-values.ts';
import { resolveFolder } from './files.ts';

/** Outputs that a step can see, by variable name. */
export type Outputs = ReadonlyMap<string, JsonValue>;

/** The resolved values of a run. */
export interface RunScopeOptions {
  readonly workingDir: string;
  /** The directory that the workflow names, expanded, for machines where it may be another one than here. */
  readonly namedDir: string | undefined;
  /** `$1`, `$2`, … of shell steps. */
  readonly positional: readonly string[];
  readonly shell: readonly string[] | undefined;
  /** The filtered environment of this system; lowest precedence. */
  readonly system: Readonly<Record<string, string>>;
  /** Values with lower precedence than outputs of steps: `env`, dotenv, secrets. */
  readonly baseEnv: Readonly<Record<string, string>>;
  /** Values with higher precedence than outputs: named parameters, the run's own variables. */
  readonly overrideEnv: Readonly<Record<string, string>>;
  /** Returns where values come from; the signal ends their commands. */
  sources(signal: AbortSignal | undefined): ValueSources;
  /** Marks the commands in conditions. */
  readonly tag: string | undefined;
  readonly masker: Masker;
  /** The values that it masks, for other maskers; grows. */
  readonly masked: readonly string[];
  /** Adds a value to mask. */
  addSecret(value: string): void;
  readonly steps: Pick<StepProperties, 'read' | 'list'>;
  /**
   * Creates a step's directory when it is missing.
   * @throws `WorkingDirError`
   */
  ensureFolder(folder: string): void;
}

/** Everything that the steps of one run share: directory, variables, shell, values to mask. */
export class RunScope {
  readonly #options: RunScopeOptions;
  readonly #positionalByName: Readonly<Record<string, string>>;
  readonly #sources: ValueSources;
  readonly #signal: AbortSignal | undefined;

  /** @param signal aborted when no value is needed any more: ends the commands in values and conditions */
  constructor(options: RunScopeOptions, signal?: AbortSignal) {
    this.#options = options;
    const numbered = options.positional.map((value, index) => [String(index + 1), value] as const);
    this.#positionalByName = Object.fromEntries(numbered);
    this.#sources = options.sources(signal);
    this.#signal = signal;
  }

  /** Returns the same values, usable until the signal is aborted. */
  until(signal: AbortSignal): RunScope {
    return new RunScope(this.#options, signal);
  }

  get workingDir(): string {
    return this.#options.workingDir;
  }

  get positional(): readonly string[] {
    return this.#options.positional;
  }

  /**
   * Returns the shell of a step, or of the run when the step names none: program and arguments, each expanded
   * separately.
   */
  async shellFor(
    stepShell: readonly string[] | undefined,
    environment: Readonly<Record<string, string>>,
  ): Promise<readonly string[] | undefined> {
    const argv = stepShell ?? this.#options.shell;
    return argv && Promise.all(argv.map((arg) => this.expand(arg, environment)));
  }

  /** Returns how the engine relays a step's output, when secrets have to be masked in it or files get a copy. */
  relay(copies: OutputRelay['copies']): OutputRelay | undefined {
    const { masker } = this.#options;
    if (masker.isEmpty && copies.stdout === undefined && copies.stderr === undefined) return undefined;
    if (masker.isEmpty) return { copies };
    return { copies, mask: () => masker.stream(), maskSecrets: (text) => masker.mask(text) };
  }

  /** Masks a value from now on wherever the run and its sub-runs are stored or displayed. */
  addSecret(value: string): void {
    this.#options.addSecret(value);
  }

  /** Returns a string or JSON value with secrets masked. */
  maskSecrets<Value extends JsonValue>(value: Value): Value {
    return this.#options.masker.maskJson(value);
  }

  /**
   * Returns the complete environment of one attempt, lowest precedence first: the filtered system environment, the
   * workflow's `env`, dotenv, secrets, outputs of earlier steps, parameters, the run's own variables, the step's own
   * entries.
   */
  async stepEnvironment(
    entries: readonly EnvEntry[],
    outputs: Outputs,
    extra: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const { system, baseEnv, overrideEnv } = this.#options;
    const shared = { ...system, ...baseEnv, ...outputTexts(outputs), ...overrideEnv, ...extra };
    const { read } = this.#options.steps;
    for (const { name, value } of entries)
      shared[name] = await expandNamed(name, value, shared, this.#sources, read, this.#positionalByName);
    return shared;
  }

  /**
   * Returns the environment for an attempt on another machine: without this machine's variables and without the step's
   * own entries.
   */
  remoteEnvironment(outputs: Outputs, extra: Readonly<Record<string, string>>): Record<string, string> {
    const { baseEnv, overrideEnv } = this.#options;
    const { [logFileVariable]: _here, ...elsewhere } = overrideEnv;
    return { ...baseEnv, ...outputTexts(outputs), ...elsewhere, ...extra };
  }

  /** Returns the directory of a step on another machine, expanded but not resolved; undefined when none is named. */
  async remoteFolder(step: Step, environment: Readonly<Record<string, string>>): Promise<string | undefined> {
    const { namedDir } = this.#options;
    if (step.dir === undefined) return namedDir;
    const stepDir = await this.expand(step.dir, environment);
    const isWhole = path.isAbsolute(stepDir) || stepDir === '~' || stepDir.startsWith('~/');
    return namedDir === undefined || isWhole ? stepDir : path.join(namedDir, stepDir);
  }

  /** The current values of `${id.property}`, by `id.property`. */
  get properties(): Readonly<Record<string, string>> {
    return this.#options.steps.list();
  }

  /** Values that are masked wherever the run is stored or displayed. */
  get masked(): readonly string[] {
    return this.#options.masked;
  }

  /** Expands a string against an environment made by `stepEnvironment`; `${1}` is a positional parameter. */
  expand(text: string, environment: Readonly<Record<string, string>>): Promise<string> {
    return expandValue(text, environment, this.#sources, this.#options.steps.read, this.#positionalByName);
  }

  /** Returns the step's directory, created when missing. Rejects with `WorkingDirError`. */
  async stepFolder(step: Step, environment: Readonly<Record<string, string>>): Promise<string> {
    if (step.dir === undefined) return this.workingDir;
    const folder = resolveFolder(await this.expand(step.dir, environment), this.workingDir);
    this.#options.ensureFolder(folder);
    return folder;
  }

  /**
   * Returns the directory for a sub-workflow of the step that names none: the step's own, unless neither the step nor
   * its workflow names one.
   * @param folder of the step
   */
  folderForSubRuns(step: Step, folder: string): string | undefined {
    return step.dir === undefined && this.#options.namedDir === undefined ? undefined : folder;
  }

  /**
   * Returns what conditions need, with the environment and directory of a step or of the run.
   * @param shell of the step, as written; default: the run's
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
        const argv = await this.shellFor(shell, environment);
        return runInShell({
          command,
          // A condition is always a shell command, even if the commands of the step are not.
          shell: argv?.[0] === 'direct' ? undefined : argv,
          positional: this.positional,
          env: environment,
          expand: (text) => this.expand(text, environment),
          cwd,
          signal: this.#signal,
          tag: this.#options.tag,
        });
      },
    };
  }
}

/** The engine's log of the run, on the machine of its host. */
export const logFileVariable = 'DAG_RUN_LOG_FILE';

/** Returns the variables that tell a step where it runs. */
export function specialStepVariables(
  node: NodeId,
  attemptPath: string,
  workingDir: string,
): Record<string, string> {
  const specials: Record<string, string> = { DAG_RUN_STEP_NAME: node.name, PWD: workingDir };
  if (node.section === 'handler') return specials;
  specials['DAG_RUN_STEP_STDOUT_FILE'] = path.join(attemptPath, attemptFiles.stdout);
  specials['DAG_RUN_STEP_STDERR_FILE'] = path.join(attemptPath, attemptFiles.stderr);
  return specials;
}

function outputTexts(outputs: Outputs): Record<string, string> {
  return Object.fromEntries(Array.from(outputs, ([name, value]) => [name, outputText(value)]));
}

/** Returns an output as the value of a variable: strings as they are, anything else as JSON. */
export const outputText = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** The properties in `${id.stdout}`, `${id.stderr}` and `${id.exitCode}`. */
export type StepProperty = (typeof properties)[number];
const properties = ['stdout', 'stderr', 'exitCode'] as const;

/** The known properties of the steps of a run that have an `id`. */
export class StepProperties {
  readonly #ids: ReadonlySet<string>;
  readonly #values = new Map<string, Readonly<Record<StepProperty, string>>>();

  constructor(steps: readonly Pick<Step, 'id'>[]) {
    this.#ids = new Set(steps.flatMap(({ id }) => id ?? []));
  }

  /** Records the newest attempt of a step; `attemptPath` is its directory. */
  note({ id }: Pick<Step, 'id'>, attemptPath: string, exitCode: number | undefined): void {
    if (id === undefined) return;
    this.#values.set(id, {
      stdout: path.join(attemptPath, attemptFiles.stdout),
      stderr: path.join(attemptPath, attemptFiles.stderr),
      exitCode: exitCode === undefined ? '' : String(exitCode),
    });
  }

  /** Returns all known properties, by `id.property`. */
  list(): Record<string, string> {
    const entries = [...this.#ids].flatMap((id) =>
      properties.map((property) => [`${id}.${property}`, this.read(id, property) ?? '']),
    );
    return Object.fromEntries(entries) as Record<string, string>;
  }

  /** Returns an empty string for a step that has not run yet; undefined when no step has this id. */
  readonly read = (id: string, property: StepProperty): string | undefined =>
    this.#ids.has(id) ? (this.#values.get(id)?.[property] ?? '') : undefined;
}

/**
 * Returns the prefix of the tags of one run's commands, whichever host has started them; no directory has this path.
 */
export const valuesTagRoot = (home: string, { name, dagRunId }: RunRef): string =>
  path.join(home, '@values', name, dagRunId, path.sep);

/**
 * Returns the tag of the commands in a run's values and conditions, and of their child processes. They belong to no
 * attempt, and the run may have no directory yet. The epoch distinguishes the commands of one owner from those of the
 * next.
 */
export const valuesTag = (home: string, run: RunRef & { readonly epoch: number }): string =>
  valuesTagRoot(home, run) + run.epoch;
