import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { AppError, toAppError } from '../base/errors.ts';
import { findDefaultShell, isInteractiveShell } from '../executors/shell/shell.ts';
import type { RunRef } from '../model/run.ts';
import type { Step } from '../model/step.ts';
import type { Workflow } from '../model/workflow.ts';
import { resolveRunParams } from './params/run-params.ts';
import { loadStored, readInheritance, type InheritanceInput } from './recovery/previous-run.ts';
import { requireValidWorkflow, type LoadedFile } from './run-service.ts';
import { ScopeBuilder } from './values/open-scope.ts';
import { StepProperties } from './values/run-scope.ts';

/** The environment of a step, for running its commands in a terminal. */
export interface StepLocation {
  /** Absolute path of an existing directory. */
  readonly folder: string;
  /** The step's variables with unmasked secrets: never display or store them. */
  readonly environment: Readonly<Record<string, string>>;
  /** An interactive shell, without arguments. */
  readonly shell: string;
}

/** Input for building a step's environment. */
interface StepLocationInput extends InheritanceInput {
  readonly clock: Clock;
  /** Working directory of runs that name none. Absolute path. */
  readonly defaultWorkingDir: string | undefined;
  readonly library: { get(fileName: string): Promise<{ readonly spec: LoadedFile }> };
}

/** Builds step environments for one engine. */
export interface StepLocator {
  readonly locateStep: (run: RunRef, step?: string) => Promise<StepLocation>;
  readonly locateWorkflow: (fileName: string) => Promise<StepLocation>;
}

export const openStepLocator = (input: StepLocationInput): StepLocator => ({
  locateStep: (run, step) => readStepLocation(input, run, step),
  locateWorkflow: async (fileName) => readWorkflowLocation(input, (await input.library.get(fileName)).spec),
});

/**
 * Returns the directory, variables and shell of a step of a run, resolved again from the stored run, with the run's
 * final outputs. Without a step: those of the run.
 * @throws `not_found`, `invalid_spec`, or `bad_request` when a value is no longer available
 */
async function readStepLocation(
  input: InheritanceInput,
  ref: RunRef,
  stepName: string | undefined,
): Promise<StepLocation> {
  const detail = await input.store.getDetail(ref);
  if (detail === undefined) throw new AppError('not_found', `Run ${ref.dagRunId} of ${ref.name} not found.`);
  const { run } = detail;
  const { workflow, source } = await loadStored(detail);
  const step = stepName === undefined ? undefined : findStep(workflow, stepName);
  const { environment: system } = input.system;
  const scopeBuilder = new ScopeBuilder({
    record: run,
    params: run.params,
    workflow,
    specFile: source.file,
    system: input.system,
    inherited: run.parent && (await readInheritance(input, run.parent)),
    steps: new StepProperties([]),
  });
  try {
    const { scope } = await scopeBuilder.open(path.resolve(input.home, run.logDir));
    const outputs = new Map(Object.entries(run.outputs));
    const loginShell: Readonly<Record<string, string>> =
      stepName === undefined ? {} : { DAG_RUN_STEP_NAME: stepName };
    const environment = await scope.stepEnvironment(step?.env ?? [], outputs, loginShell);
    const folder = step === undefined ? scope.workingDir : await scope.stepFolder(step, environment);
    const shellName = (await scope.shellFor(step?.shell, environment))?.[0];
    return { folder, environment: { ...environment, PWD: folder }, shell: chooseShell(shellName, system) };
  } catch (error) {
    const reason = (await scopeBuilder.openMasker()).mask(toAppError(error).message);
    throw new AppError('bad_request', `Cannot restore the directory of this step: ${reason}`);
  }
}

/** Variables that exist only in a run. */
const runOnlyVariables = ['DAG_RUN_ID', 'DAG_RUN_LOG_FILE'];

/**
 * Returns the directory, variables and shell that a run of the workflow would start with, with default parameters.
 * @throws `invalid_spec`, or `bad_request` when a value is not available, such as a required parameter
 */
async function readWorkflowLocation(input: StepLocationInput, source: LoadedFile): Promise<StepLocation> {
  const workflow = requireValidWorkflow(source, 0);
  const { system, defaultWorkingDir } = input;
  const params = await resolveRunParams(workflow, { ...input, explicitParams: [], file: source.file });
  const scopeBuilder = new ScopeBuilder({
    record: {
      name: workflow.name,
      dagRunId: '',
      ...(defaultWorkingDir !== undefined && { defaultWorkingDir }),
    },
    params,
    workflow,
    specFile: source.file,
    system,
    inherited: undefined,
    steps: new StepProperties([]),
  });
  try {
    const { scope } = await scopeBuilder.open('');
    const found = await scope.stepEnvironment([], new Map(), {});
    const environment = Object.fromEntries(
      Object.entries(found).filter(([name]) => !runOnlyVariables.includes(name)),
    );
    const folder = scope.workingDir;
    const shellName = (await scope.shellFor(undefined, environment))?.[0];
    return {
      folder,
      environment: { ...environment, PWD: folder },
      shell: chooseShell(shellName, system.environment),
    };
  } catch (error) {
    const reason = (await scopeBuilder.openMasker()).mask(toAppError(error).message);
    throw new AppError('bad_request', `Cannot restore the directory of this workflow: ${reason}`);
  }
}

function findStep({ steps, handlers }: Workflow, name: string): Step {
  const found = [...steps, ...Object.values(handlers)].find((step) => step.name === name);
  if (found !== undefined) return found;
  throw new AppError('not_found', `The run has no step "${name.slice(0, 100)}".`);
}

/** Returns the step's shell if it can be used interactively, otherwise the user's own. */
function chooseShell(
  shellName: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (shellName !== undefined && isInteractiveShell(shellName)) return shellName;
  const loginShell = process.platform === 'win32' ? undefined : environment['SHELL'];
  return loginShell || (findDefaultShell(environment, process.platform)[0] ?? 'sh');
}
