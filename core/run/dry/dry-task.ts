import { isStepProperty, expandVariables } from '../../spec/expand.ts';
import type { Reference } from '../../spec/parse-template.ts';
import type { Clock } from '../../base/clock.ts';
import type { Step } from '../../model/step.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import type { WorkerSelector } from '../../model/workflow-rules.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Secret } from '../../model/settings.ts';
import type { SecretContext } from '../../process/secrets/provider.ts';
import { resolveSecrets } from '../../process/secrets/resolve-secrets.ts';
import {
  SubstitutionError,
  type ValueSources,
  valueSources,
  type SystemContext,
} from '../values/resolve-values.ts';
import type { LoadedFile } from '../run-service.ts';
import type { Inheritance, ScopeTools } from '../values/open-scope.ts';
import { type Workers, formatMissingWorker } from '../run-input.ts';
import {
  readDotenv,
  readSecretFiles,
  type DotenvFile,
  type DotenvPaths,
  type SecretFilePaths,
} from '../values/dotenv.ts';
import { directoryExists } from '../values/files.ts';
import {
  type FindingList,
  findMentionedVariables,
  hasUnknown,
  markUnknown,
  stripUnknownMarks,
} from './findings.ts';

/** Input for resolving the values of a dry run. */
interface DrySourceInput {
  readonly findings: FindingList;
  /** Ids of the workflow's steps. */
  readonly stepIds: ReadonlySet<string>;
  /** Whether to run commands in backticks. */
  readonly runSubstitutions: boolean;
  /** Names that get their value later, so that a missing value is not reported. */
  readonly expected?: ReadonlySet<string>;
}

/** All shells that run substitutions by default use this dialect. */
const plainDialect = { slices: false, ansiQuotes: true };

/**
 * Returns value sources as for a run. Values that only a run can know stay as written and are marked as unknown:
 * commands (unless they are run), properties of steps, and everything that depends on them.
 */
export function drySources(input: DrySourceInput, system: SystemContext, cwd: string): ValueSources {
  const { findings, stepIds, runSubstitutions, expected } = input;
  const systemSources = valueSources(system, cwd);
  return {
    system: systemSources.system,
    warn: (message) => findings.add('warning', message),
    async runCommand(command, variables, expand) {
      const placeholder = markUnknown(`\`${command.replaceAll('`', '\\`')}\``);
      if (!runSubstitutions || isUnknowable(command, variables)) return placeholder;
      try {
        return await systemSources.runCommand(command, withoutUnknown(variables), expand);
      } catch (error) {
        if (!(error instanceof SubstitutionError)) throw error;
        findings.addError(error);
        return placeholder;
      }
    },
    answer(reference, value) {
      const [first] = reference.path;
      const isProperty = first !== undefined && stepIds.has(reference.name) && isStepProperty(first.key);
      if (isProperty) return markUnknown(reference.source);
      if (value === undefined && expected?.has(reference.name) !== true) recordUnset(reference, findings);
      if (value === undefined || !hasUnknown(value)) return undefined;
      const isPlain = first === undefined && reference.modifier === undefined;
      return isPlain ? value : markUnknown(reference.source);
    },
  };
}

/** Whether a command depends on unknown values. It would then do something else than in a run. */
function isUnknowable(command: string, variables: Readonly<Record<string, string>>): boolean {
  const unknown = Object.keys(variables).filter((name) => hasUnknown(variables[name]!));
  return hasUnknown(command) || findMentionedVariables(command, unknown, plainDialect).length > 0;
}

const withoutUnknown = (variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => !hasUnknown(value)));

function recordUnset({ name, path, modifier, source }: Reference, findings: FindingList): void {
  if (path.length > 0 || modifier !== undefined) return;
  findings.add(
    'warning',
    `${source} is empty: ${name} is not set. Set it, or add a default: \${${name}:-…}.`,
  );
}

/** A workflow on the path from the first one to the current one. */
export interface ChainLink {
  readonly name: string;
  /** Identifies the workflow. */
  readonly identity: string;
  /** The parameters it gets. */
  readonly params: string;
  /** Identifies the workflow together with all inputs. */
  readonly key: string;
  /** Whether a condition decides if the workflow, or the step that calls it, is run. */
  readonly isConditional: boolean;
}

/** A workflow to plan, and the inputs of its run. */
export interface DryTask {
  readonly source: LoadedFile;
  readonly workflow: Workflow;
  /** Name of the run. */
  readonly name: string;
  readonly explicitParams: readonly Parameter[];
  readonly defaultWorkingDir: string | undefined;
  readonly inherited: Inheritance | undefined;
  readonly isSubRun: boolean;
  /** Path from the first workflow to this one. */
  readonly chain: readonly ChainLink[];
}

/** A sub-workflow that a step would run. */
export interface SubTask {
  readonly parent: DryTask;
  readonly step: Step;
  readonly dag: string;
  readonly params: readonly Parameter[];
  /** Working directory when the workflow names none. Absolute path; undefined when its caller names none either. */
  readonly folder: string | undefined;
  readonly inheritance: Inheritance;
}

/** State and helpers of one dry run. */
export interface DryRunContext {
  readonly findings: FindingList;
  readonly clock: Clock;
  readonly environment: SystemContext['environment'];
  readonly passed: SystemContext['passed'];
  readonly secretSources: SystemContext['secretSources'];
  /** Absolute path of the home. */
  readonly home: string;
  /** Where the logs of runs go when their workflow names no directory. Absolute path. */
  readonly logs: string;
  readonly runSubstitutions: boolean;
  readonly workers: Workers;
  /** Values to mask. Grows during the dry run. */
  readonly masked: Set<string>;
  /**
   * Returns the index of a sub-workflow's plan; undefined when there is none, for a reason that is reported elsewhere.
   */
  planSub(task: SubTask): Promise<number | undefined>;
}

/** Names that were looked up while values were resolved. */
export interface LookupResults {
  dotenv: DotenvFile | undefined;
  /** Names of secrets that have a value. */
  readonly secrets: Set<string>;
}

/** Returns tools that change nothing: they check directories, and read files and secrets. Errors become findings. */
export function dryTools(input: DrySourceInput, lookups: LookupResults): ScopeTools {
  const { findings, runSubstitutions } = input;
  return {
    sources: (system, cwd) => drySources(input, system, cwd),
    ensureFolder: (folder) => checkFolder(folder, findings),
    readDotenv(sourcePaths) {
      lookups.dotenv = readKnownDotenv(sourcePaths, findings);
      return lookups.dotenv;
    },
    readSecretFiles: (sourcePaths) => readKnownSecretFiles(sourcePaths, findings),
    async resolveSecrets(secrets, secretContext) {
      const values: Record<string, string> = {};
      for (const secret of secrets) {
        const value = await findings.at({ field: `secrets.${secret.name}` }, () =>
          secret.provider === 'command' && !runSubstitutions
            ? addCommandFinding(secret, findings)
            : resolveSecret(secret, secretContext, findings),
        );
        if (value !== undefined) lookups.secrets.add(secret.name);
        values[secret.name] = value ?? markUnknown(`\${${secret.name}}`);
      }
      return values;
    },
  };
}

function checkFolder(folder: string, findings: FindingList): void {
  if (hasUnknown(folder)) return;
  try {
    directoryExists(folder);
  } catch (error) {
    findings.addError(error);
  }
}

function readKnownDotenv(paths: DotenvPaths, findings: FindingList): DotenvFile | undefined {
  const { files = [], workingDir, lookup } = paths;
  const names = files.map((file) => expandVariables(file, { lookup }).value);
  const location = { ...findings.location, field: 'dotenv' };
  if ([workingDir, ...names].some(hasUnknown)) {
    findings.addAt(
      location,
      'info',
      'Dotenv files with variables in their names are only resolved at run time.',
    );
    return undefined;
  }
  try {
    return readDotenv({ ...paths, warn: (message) => findings.addAt(location, 'warning', message) });
  } catch (error) {
    findings.addAt(location, 'error', getErrorMessage(error));
    return undefined;
  }
}

function readKnownSecretFiles(paths: SecretFilePaths, findings: FindingList): Record<string, string> {
  const { files, workingDir, lookup } = paths;
  const names = files.map((file) => expandVariables(file, { lookup }).value);
  const location = { ...findings.location, field: 'secretFiles' };
  if ([workingDir, ...names].some(hasUnknown)) {
    findings.addAt(
      location,
      'info',
      'Secret files with variables in their names are only resolved at run time.',
    );
    return {};
  }
  try {
    return readSecretFiles({ ...paths, warn: (message) => findings.addAt(location, 'warning', message) });
  } catch (error) {
    findings.addAt(location, 'error', getErrorMessage(error));
    return {};
  }
}

function addCommandFinding({ name }: Secret, findings: FindingList): undefined {
  findings.add('info', `Secret ${name} is only resolved at run time: it comes from a command.`);
}

/** Returns undefined when there is no value, or none yet. */
async function resolveSecret(
  secret: Secret,
  context: SecretContext,
  findings: FindingList,
): Promise<string | undefined> {
  try {
    const { [secret.name]: value = '' } = await resolveSecrets([secret], context);
    if (!hasUnknown(value)) return value;
    findings.add(
      'info',
      `Secret ${secret.name} is only resolved at run time: it comes from ${stripUnknownMarks(value)}.`,
    );
  } catch (error) {
    const message = getErrorMessage(error);
    // When the directory is not known yet, the file may exist at run time.
    findings.add(hasUnknown(context.workingDir) ? 'warning' : 'error', message);
  }
  return undefined;
}

/**
 * Adds a finding when the installation has no workers that the run, or the step at the current place, needs. Nothing is
 * run locally instead.
 */
export async function checkWorker(
  selector: WorkerSelector | undefined,
  { findings, workers }: Pick<DryRunContext, 'findings' | 'workers'>,
): Promise<void> {
  if (selector === undefined || (await workers.isSetUp())) return;
  const location = { ...findings.location, field: 'workerSelector' };
  findings.addAt(location, 'error', formatMissingWorker(selector));
}
