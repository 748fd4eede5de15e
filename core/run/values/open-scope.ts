import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RunRecord } from '../../model/run.ts';
import type { TraceContext } from '../../model/trace-context.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import { joinSelectors, type WorkerSelector } from '../../model/workflow-rules.ts';
import type { Secret } from '../../model/settings.ts';
import { filterEnvironment } from '../../process/environment.ts';
import { Masker } from '../../process/secrets/masker.ts';
import type { SecretContext } from '../../process/secrets/provider.ts';
import { findSecretValues, resolveSecrets, shouldMask } from '../../process/secrets/resolve-secrets.ts';
import type { OtelSettings } from '../telemetry/trace.ts';
import { runLogFile } from '../../store/run-logs.ts';
import {
  readDotenv,
  readSecretFiles,
  type DotenvFile,
  type DotenvPaths,
  type SecretFilePaths,
} from './dotenv.ts';
import {
  expandValue,
  isPositional,
  resolveEnv,
  type ValueSources,
  valueSources,
  type SystemContext,
} from './resolve-values.ts';
import { logFileVariable, RunScope, type StepProperties } from './run-scope.ts';
import { ensureFolder, runWorkingDir } from './files.ts';
import { hasReference } from '../../spec/parse-template.ts';

/** Values that a sub-run gets from the run that starts it; lives as long as both. */
export interface Inheritance {
  /**
   * The parent's `env`, dotenv and secrets: the sub-run's workflow may expand them and its secrets may name them, as if
   * they were the system's; its steps see them only as far as the environment rules allow.
   */
  readonly variables: Readonly<Record<string, string>>;
  /** Values to mask in the sub-run, too. */
  readonly masked: readonly string[];
  /** Labels that workers must have for the steps of the run, unless its workflow overrides them. */
  readonly workerSelector?: WorkerSelector | undefined;
  /** The attempt that starts the run. */
  readonly trace?: TraceContext;
  /** Where the parent's spans go, for a sub-run whose workflow has no `otel`. */
  readonly telemetry?: OtelSettings | undefined;
}

/** Everything a run's values are resolved from. */
export interface ScopeInput {
  readonly record: Pick<RunRecord, 'name' | 'dagRunId' | 'defaultWorkingDir'>;
  readonly params: readonly Parameter[];
  readonly workflow: Workflow;
  readonly specFile: string | undefined;
  readonly system: SystemContext;
  readonly inherited: Inheritance | undefined;
  readonly steps: Pick<StepProperties, 'read' | 'list'>;
}

/** Operations with side effects that resolving needs. */
export interface ScopeTools {
  /** Returns where values come from; commands of substitutions run in the directory `cwd`. */
  sources(system: SystemContext, cwd: string): ValueSources;
  /**
   * Creates a directory when it is missing.
   * @throws `WorkingDirError`
   */
  ensureFolder(folder: string): void;
  /** @throws `DotenvError` */
  readDotenv(paths: DotenvPaths): DotenvFile | undefined;
  /** @throws `DotenvError` */
  readSecretFiles(paths: SecretFilePaths): Record<string, string>;
  /** Rejects with `SecretError`. */
  resolveSecrets(secrets: readonly Secret[], context: SecretContext): Promise<Record<string, string>>;
}

const runTools: ScopeTools = {
  sources: valueSources,
  ensureFolder,
  readDotenv,
  readSecretFiles,
  resolveSecrets,
};

/** Resolved values, and those passed to sub-runs. */
export interface OpenedScope {
  readonly scope: RunScope;
  readonly masker: Masker;
  readonly inheritance: Inheritance;
}

/**
 * Resolves the values of one run, in the order in which they may refer to each other: `env`, the log directory, the
 * working directory, dotenv, secrets.
 */
export class ScopeBuilder {
  readonly #input: ScopeInput;
  readonly #fileDir: string;
  readonly #params: Readonly<Record<string, string>>;
  readonly #specials: Readonly<Record<string, string>>;
  readonly #tools: ScopeTools;
  readonly #sources: ValueSources;
  #env: Readonly<Record<string, string>> | undefined;

  constructor(input: ScopeInput, tools: ScopeTools = runTools) {
    const { record, params, specFile, system, inherited } = input;
    this.#input = {
      ...input,
      system: { ...system, environment: { ...system.environment, ...inherited?.variables } },
    };
    this.#fileDir = specFile === undefined ? process.cwd() : path.dirname(specFile);
    this.#params = Object.fromEntries(params.map(({ name, value }) => [name, value]));
    this.#specials = { DAG_NAME: record.name, DAG_RUN_ID: record.dagRunId };
    this.#tools = tools;
    this.#sources = tools.sources(this.#input.system, this.#fileDir);
  }

  /**
   * Resolves the directory of the workflow's logs, absolute, when it names one (`logDir`). Rejects with
   * `SubstitutionError`.
   */
  async logRoot(): Promise<string | undefined> {
    const { logDir } = this.#input.workflow;
    if (logDir === undefined) return undefined;
    const expanded = await this.#expand(logDir);
    return expanded.trim() === ''
      ? undefined
      : runWorkingDir({ written: expanded, file: this.#input.specFile });
  }

  /**
   * Resolves the other values. Rejects with `SubstitutionError`, `WorkingDirError`, `DotenvError` or `SecretError`.
   * @param runDir absolute path of the run's directory
   */
  async open(runDir: string): Promise<OpenedScope> {
    const { workflow, system, inherited, steps } = this.#input;
    const env = await this.env();
    const expanded = workflow.workingDir === undefined ? undefined : await this.#expand(workflow.workingDir);
    const workingDir = this.#openWorkingDir(expanded);
    const dotenv = this.#readDotenv(workingDir, env);
    const fileSecrets = this.#readSecretFiles(workingDir, { ...env, ...dotenv });
    const variables = { ...system.environment, ...env, ...dotenv, ...fileSecrets };
    const options = { variables, workingDir, fileDir: this.#fileDir, ...system.secretSources };
    const providerSecrets = await this.#tools.resolveSecrets(workflow.secrets ?? [], options);
    const secrets = { ...fileSecrets, ...providerSecrets };
    const masked = [
      ...(inherited?.masked ?? []),
      ...Object.values(fileSecrets).filter(shouldMask),
      ...Object.values(providerSecrets),
    ];
    const masker = new Masker(masked);
    const named = Object.entries(this.#params).filter(([name]) => !isPositional(name));
    const scope = new RunScope({
      workingDir,
      namedDir: expanded === '' ? undefined : expanded,
      positional: positionalValues(this.#params),
      shell: workflow.shell,
      system: filterEnvironment(system.environment, process.platform, system.passed),
      baseEnv: {
        ...filterEnvironment(inherited?.variables ?? {}, process.platform, system.passed),
        ...env,
        ...dotenv,
        ...secrets,
      },
      overrideEnv: {
        ...Object.fromEntries(named),
        ...this.#specials,
        [logFileVariable]: path.join(runDir, runLogFile),
      },
      sources: (signal) => this.#tools.sources({ ...system, signal }, this.#fileDir),
      tag: system.tag,
      masker,
      masked,
      addSecret: (value) => {
        masker.add(value);
        masked.push(value);
      },
      steps,
      ensureFolder: this.#tools.ensureFolder,
    });
    const inheritedVariables = { ...inherited?.variables, ...env, ...dotenv, ...secrets };
    return { scope, masker, inheritance: { variables: inheritedVariables, masked } };
  }

  /**
   * Returns the directory of the run on this machine, creating it when it is missing. A directory that only workers use
   * is not created: values are then read as if the workflow named none.
   */
  #openWorkingDir(expanded: string | undefined): string {
    const { record, specFile, workflow, inherited } = this.#input;
    const options = { fallback: record.defaultWorkingDir, file: specFile };
    const named = runWorkingDir({ written: expanded, ...options });
    const runsOnWorker = joinSelectors(inherited?.workerSelector, workflow.workerSelector) !== undefined;
    if (runsOnWorker && !existsSync(named)) return runWorkingDir(options);
    if (!runsOnWorker) this.#tools.ensureFolder(named);
    return named;
  }

  /** Opens a masker for the secrets that are known when the values could not be resolved. */
  async openMasker(): Promise<Masker> {
    const { workflow, system, inherited, record, specFile } = this.#input;
    const found = await findSecretValues(workflow.secrets ?? [], {
      variables: { ...system.environment, ...this.#env },
      workingDir: runWorkingDir({ fallback: record.defaultWorkingDir, file: specFile }),
      fileDir: this.#fileDir,
      ...system.secretSources,
    });
    return new Masker([...(inherited?.masked ?? []), ...this.#readMaskedFileSecrets(), ...found]);
  }

  #readMaskedFileSecrets(): string[] {
    const { record, specFile } = this.#input;
    try {
      const workingDir = runWorkingDir({ fallback: record.defaultWorkingDir, file: specFile });
      return Object.values(this.#readSecretFiles(workingDir, this.#env ?? {})).filter(shouldMask);
    } catch {
      // Secrets that could not be read cannot appear anywhere.
      return [];
    }
  }

  #readSecretFiles(workingDir: string, variables: Readonly<Record<string, string>>): Record<string, string> {
    const { workflow, system } = this.#input;
    const { secretFiles: files = [] } = workflow;
    if (files.length === 0) return {};
    const known = { ...system.environment, ...variables, ...this.#params };
    return this.#tools.readSecretFiles({
      ...{ files, workingDir, fileDir: this.#fileDir },
      lookup: (name) => known[name],
      warn: system.warn,
    });
  }

  #readDotenv(workingDir: string, env: Readonly<Record<string, string>>): Record<string, string> {
    const { workflow, system } = this.#input;
    const known = { ...system.environment, ...env, ...this.#params };
    const found = this.#tools.readDotenv({
      files: workflow.dotenv,
      workingDir,
      fileDir: this.#fileDir,
      lookup: (name) => known[name],
      warn: system.warn,
    });
    return found?.variables ?? {};
  }

  /** Resolves the workflow's `env`, in its order. Rejects with `SubstitutionError`. */
  async env(): Promise<Readonly<Record<string, string>>> {
    this.#env ??= await resolveEnv(
      this.#input.workflow.env,
      { ...this.#specials, ...this.#params },
      this.#sources,
    );
    return this.#env;
  }

  /** Expands a string of the workflow against `env`, parameters and the system. */
  async #expand(text: string): Promise<string> {
    const env = hasReference(text) ? await this.env() : {};
    return expandValue(text, { ...this.#specials, ...env, ...this.#params }, this.#sources);
  }
}

function positionalValues(params: Readonly<Record<string, string>>): string[] {
  const options = Object.keys(params).filter(isPositional).map(Number);
  return Array.from({ length: Math.max(0, ...options) }, (_, index) => params[String(index + 1)] ?? '');
}
