import path from 'node:path';
import type { JsonValue } from '../../base/json.ts';
import { attemptFiles } from '../../model/attempt-files.ts';
import type { NodeId } from '../../model/run-event.ts';
import type { RunRecord } from '../../model/run.ts';
import type { Step } from '../../model/step.ts';
import type { EnvEntry } from '../../model/values.ts';
import type { Workflow } from '../../model/workflow.ts';
import { buildCommandArgv, findDefaultShell } from '../../executors/shell.ts';
import { captureCommand } from '../../process/capture.ts';
import { filterEnvironment } from '../../process/environment.ts';
import type { ConditionTools } from './conditions.ts';
import { runLogFile } from '../log-places.ts';
import {
  expandValue,
  isPositional,
  resolveEnv,
  SubstitutionError,
  type ValueSources,
} from './resolve-values.ts';
import { ensureFolder, resolveFolder, runWorkingDir } from './working-dir.ts';

/** Outputs a step may see, by variable name. */
export type Outputs = ReadonlyMap<string, JsonValue>;

/** Bytes of a substituted command's output, and of a condition's, that are kept. */
const captureLimit = 1024 * 1024;

/** The system's own variables, as far as a process may see them. */
export interface SystemFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  warn(message: string): void;
}

/** Everything the steps of one run share: folder, variables, shell. */
export class RunScope {
  readonly workingDir: string;
  /** `$1`, `$2`, … of shell steps. */
  readonly positional: readonly string[];
  readonly shell: readonly string[] | undefined;
  readonly #below: Readonly<Record<string, string>>;
  readonly #above: Readonly<Record<string, string>>;
  readonly #sources: ValueSources;

  private constructor(parts: {
    workingDir: string;
    positional: readonly string[];
    shell: readonly string[] | undefined;
    below: Readonly<Record<string, string>>;
    above: Readonly<Record<string, string>>;
    sources: ValueSources;
  }) {
    this.workingDir = parts.workingDir;
    this.positional = parts.positional;
    this.shell = parts.shell;
    this.#below = parts.below;
    this.#above = parts.above;
    this.#sources = parts.sources;
  }

  /** Resolves the run's values. Rejects with `SubstitutionError` or `WorkingDirError`. */
  static async open(
    run: RunRecord,
    workflow: Workflow,
    specFile: string | undefined,
    runDir: string,
    system: SystemFacts,
  ): Promise<RunScope> {
    const fileDir = specFile === undefined ? process.cwd() : path.dirname(specFile);
    const sources = valueSources(system, fileDir);
    const params = Object.fromEntries(run.params.map(({ name, value }) => [name, value]));
    const env = await resolveEnv(workflow.env, run.params, sources);
    const written =
      workflow.workingDir === undefined
        ? undefined
        : await expandValue(workflow.workingDir, { ...env, ...params }, sources);
    const workingDir = runWorkingDir({ written, fallback: run.defaultWorkingDir, file: specFile });
    ensureFolder(workingDir);
    const named = Object.entries(params).filter(([name]) => !isPositional(name));
    const specials = {
      DAG_NAME: run.name,
      DAG_RUN_ID: run.dagRunId,
      DAG_RUN_LOG_FILE: path.join(runDir, runLogFile),
    };
    return new RunScope({
      workingDir,
      positional: positionalValues(params),
      shell: workflow.shell,
      below: { ...filterEnvironment(system.environment, process.platform), ...env },
      above: { ...Object.fromEntries(named), ...specials },
      sources,
    });
  }

  /**
   * The complete environment of one attempt, lowest first: the filtered system environment, the
   * workflow's `env`, outputs of the steps before it, parameters, the run's own variables, the step's own entries.
   */
  async stepEnvironment(
    entries: readonly EnvEntry[],
    outputs: Outputs,
    extra: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const shared = { ...this.#below, ...outputTexts(outputs), ...this.#above, ...extra };
    for (const { name, value } of entries) shared[name] = await this.expand(value, shared);
    return shared;
  }

  /** Expands a text against an environment made by `stepEnvironment`; `${1}` is a positional parameter. */
  expand(text: string, environment: Readonly<Record<string, string>>): Promise<string> {
    const positional = Object.fromEntries(this.positional.map((value, index) => [String(index + 1), value]));
    return expandValue(text, { ...positional, ...environment }, this.#sources);
  }

  /** The step's folder, made when missing. Rejects with `WorkingDirError`. */
  async stepFolder(step: Step, environment: Readonly<Record<string, string>>): Promise<string> {
    if (step.dir === undefined) return this.workingDir;
    const folder = resolveFolder(await this.expand(step.dir, environment), this.workingDir);
    ensureFolder(folder);
    return folder;
  }

  /** What conditions need, with the environment and folder of a step or of the run itself. */
  conditionTools(
    environment: Readonly<Record<string, string>>,
    cwd: string,
    signal: AbortSignal,
  ): ConditionTools {
    return {
      expand: (text) => this.expand(text, environment),
      runShell: (command) =>
        captureCommand({
          argv: shellArgv(this.shell, command, this.positional, environment),
          env: { ...environment },
          cwd,
          signal,
          maxBytes: captureLimit,
        }),
    };
  }
}

/** Variables that tell a step where it runs. */
export function stepSpecials(node: NodeId, attemptPath: string, workingDir: string): Record<string, string> {
  const specials: Record<string, string> = { DAG_RUN_STEP_NAME: node.name, PWD: workingDir };
  if (node.section === 'handler') return specials;
  specials['DAG_RUN_STEP_STDOUT_FILE'] = path.join(attemptPath, attemptFiles.stdout);
  specials['DAG_RUN_STEP_STDERR_FILE'] = path.join(attemptPath, attemptFiles.stderr);
  return specials;
}

/** Where values outside a run (parameter defaults) and inside it come from. */
export function valueSources(system: SystemFacts, cwd: string): ValueSources {
  return {
    system: system.environment,
    warn: system.warn,
    async runCommand(command, variables) {
      const env = { ...filterEnvironment(system.environment, process.platform), ...variables };
      const captured = await captureCommand({
        argv: shellArgv(undefined, command, [], env),
        env,
        cwd,
        maxBytes: captureLimit,
      });
      if (captured.error !== undefined)
        throw new SubstitutionError(`The command \`${command}\` failed: ${captured.error}`);
      return captured.stdout.trim();
    },
  };
}

/** Conditions and substitutions are one command each, so the shell's `-e` would change nothing. */
function shellArgv(
  shell: readonly string[] | undefined,
  command: string,
  positional: readonly string[],
  env: Readonly<Record<string, string>>,
): string[] {
  const chosen = { command: shell ?? findDefaultShell(env, process.platform), chosenByStep: true };
  return buildCommandArgv(chosen, command, positional);
}

function positionalValues(params: Readonly<Record<string, string>>): string[] {
  const places = Object.keys(params).filter(isPositional).map(Number);
  return Array.from({ length: Math.max(0, ...places) }, (_, index) => params[String(index + 1)] ?? '');
}

function outputTexts(outputs: Outputs): Record<string, string> {
  return Object.fromEntries(Array.from(outputs, ([name, value]) => [name, outputText(value)]));
}

/** An output as a variable's text: strings as they are, anything else as JSON. */
export const outputText = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
