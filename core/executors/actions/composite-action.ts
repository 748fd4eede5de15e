import { isAbsolute, resolve, join } from 'node:path';
import { mkdir, writeFile } from 'node:fs/promises';
import type { JsonObject } from '../../base/json.ts';
import { getErrorMessage } from '../../base/errors.ts';
import { buildScriptArgv, readsRawCommandLine } from '../shell/shell.ts';
import { fillText, isConditionMet, type ExpressionScope } from './evaluate.ts';
import type { CompositeRuns, CompositeStep } from './manifest.ts';
import { ActionRecord } from './commands.ts';
import { type Inputs, prepareAction, type ActionInstance, type StageInput } from './instance.ts';
import type { Job, ActionResult } from './job.ts';
import { runProgram } from './run-program.ts';
import { makeScope, type ActionContexts, stageVariables } from './stage.ts';

/** The inputs and environment of an action, with expressions evaluated. */
export interface ActionUse extends Pick<StageInput, 'env'> {
  readonly given: Inputs;
}

/** Runs the actions that an action uses. */
export interface NestedRunner {
  runPre(job: Job, instance: ActionInstance, use: ActionUse): Promise<ActionResult>;
  runMain(job: Job, instance: ActionInstance, use: ActionUse): Promise<ActionResult>;
}

/** Runs the steps of a composite action in order and then evaluates its outputs. Never rejects. */
export function runComposite(
  job: Job,
  instance: ActionInstance,
  runs: CompositeRuns,
  nested: NestedRunner,
): Promise<ActionResult> {
  return new CompositeRun(job, instance, nested).run(runs.steps);
}

/**
 * Evaluates the inputs that a step of a composite action passes to its action.
 * @throws EvaluationError
 */
export async function evaluateUse(
  job: Job,
  instance: ActionInstance,
  contexts: ActionContexts,
  { given, env }: { readonly given: Inputs; readonly env: Inputs },
): Promise<ActionUse> {
  const fixed = stageVariables(job, instance);
  const before = makeScope(job, { ...contexts, env: job.environment(contexts.env, fixed) });
  const stepEnv = { ...contexts.env, ...(await fillMap(env, before)) };
  const scope = makeScope(job, { ...contexts, env: job.environment(stepEnv, fixed) });
  return { env: stepEnv, given: await fillMap(given, scope) };
}

async function fillMap(texts: Inputs, scope: ExpressionScope): Promise<Record<string, string>> {
  const filled: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) filled[name] = await fillText(text, scope);
  return filled;
}

class CompositeRun {
  readonly #job: Job;
  readonly #instance: ActionInstance;
  readonly #nested: NestedRunner;
  readonly #input: StageInput;
  /** Finished steps by id, as expressions see them. */
  readonly #steps: JsonObject = {};
  /** The first failure without `continue-on-error`. */
  #failure: ActionResult | undefined;

  constructor(job: Job, instance: ActionInstance, nested: NestedRunner) {
    this.#job = job;
    this.#instance = instance;
    this.#nested = nested;
    this.#input = instance.given!;
  }

  async run(steps: readonly CompositeStep[]): Promise<ActionResult> {
    for (const [index, step] of steps.entries()) {
      if (this.#job.task.killing.aborted) break;
      await this.#runStep(step, index);
    }
    try {
      await this.#setOutputs();
    } catch (error) {
      this.#failure ??= { error: getErrorMessage(error) };
    }
    return this.#failure ?? {};
  }

  get #context(): ActionContexts {
    const progress = this.#job.task.signal.aborted ? 'cancelled' : this.#failure ? 'failure' : 'success';
    return { ...this.#input, steps: this.#steps, progress };
  }

  async #runStep(step: CompositeStep, index: number): Promise<void> {
    const record = this.#instance.children.get(index)?.record ?? new ActionRecord();
    let result: ActionResult | undefined;
    let isTolerated = false;
    try {
      const given = step.work.kind === 'uses' ? step.work.with : {};
      const contexts = this.#context;
      const use = await evaluateUse(this.#job, this.#instance, contexts, { given, env: step.env });
      const scope = this.#scope(contexts, use);
      if (!(await isConditionMet(step.if ?? 'success()', scope, true)))
        return this.#keep(step, undefined, record, false);
      isTolerated = (await fillText(step.continueOnError ?? '', scope)).trim() === 'true';
      this.#job.say(`▸ ${await fillText(step.label, scope)}`);
      result = await this.#runWork(step, { index, use, scope, record });
    } catch (error) {
      result = { error: getErrorMessage(error) };
    }
    this.#keep(step, result, record, isTolerated);
  }

  #scope(contexts: ActionContexts, { env }: ActionUse): ExpressionScope {
    const fixed = stageVariables(this.#job, this.#instance);
    return makeScope(this.#job, { ...contexts, env: this.#job.environment(env, fixed) });
  }

  async #runWork(step: CompositeStep, started: StepRun): Promise<ActionResult> {
    const { work } = step;
    if (work.kind === 'run') return this.#runCommand(step, work, started);
    const known = this.#instance.children.get(started.index);
    if (known !== undefined) return this.#nested.runMain(this.#job, known, started.use);
    const id = step.id ?? `${this.#instance.id}_${started.index + 1}`;
    const action = await prepareAction(this.#job.tools, work.uses, id, this.#instance.way);
    const before = await this.#nested.runPre(this.#job, action, started.use);
    const end =
      before.error === undefined ? await this.#nested.runMain(this.#job, action, started.use) : before;
    for (const [name, value] of action.record.outputs) started.record.outputs.set(name, value);
    return end;
  }

  async #runCommand(
    { id }: CompositeStep,
    work: Extract<CompositeStep['work'], { kind: 'run' }>,
    { index, use, scope, record }: StepRun,
  ): Promise<ActionResult> {
    const { workingDir } = this.#job.context;
    const folder = await fillText(work.workingDirectory ?? '', scope);
    const script = await fillText(work.run, scope);
    const shell = await fillText(work.shell, scope);
    const fixed = {
      ...stageVariables(this.#job, this.#instance),
      GITHUB_ACTION: id ?? `${this.#instance.id}_${index + 1}`,
    };
    const planned = await planShell(shell, script, this.#job.nextFolder());
    const cwd = isAbsolute(folder) ? folder : resolve(workingDir, folder);
    return runProgram(this.#job, { ...planned, cwd, programEnv: use.env, fixed }, record);
  }

  #keep(
    { id, label }: CompositeStep,
    result: ActionResult | undefined,
    record: ActionRecord,
    isTolerated: boolean,
  ): void {
    const failed = result?.error !== undefined;
    const outcome = result === undefined ? 'skipped' : failed ? 'failure' : 'success';
    if (id !== undefined)
      this.#steps[id] = {
        outputs: Object.fromEntries(record.outputs),
        outcome,
        conclusion: failed && isTolerated ? 'success' : outcome,
      };
    if (!failed) return;
    if (isTolerated) this.#job.warn(`"${label}" failed, continuing: ${result?.error}`);
    else this.#failure ??= { ...result, error: `"${label}" of ${this.#instance.shown}: ${result?.error}` };
  }

  async #setOutputs(): Promise<void> {
    const { manifest, record } = this.#instance;
    const scope = this.#scope(this.#context, { env: this.#input.env, given: {} });
    for (const { name, value } of manifest.outputs) {
      const text = await fillText(value ?? '', scope);
      record.outputs.set(name, text);
    }
  }
}

/** A step of a composite action whose condition was true. */
interface StepRun {
  readonly index: number;
  readonly use: ActionUse;
  readonly scope: ExpressionScope;
  readonly record: ActionRecord;
}

/** Commands that run a script with a shell; `{0}` is the path of the script. The same as on GitHub Actions. */
const templates: Readonly<Record<string, string>> = {
  bash: 'bash --noprofile --norc -e -o pipefail {0}',
  sh: 'sh -e {0}',
  python: 'python {0}',
};

const powerShells = ['pwsh', 'powershell'];

/** The command that runs a script. */
export interface PlannedShell {
  readonly argv: readonly string[];
  readonly verbatimArguments: boolean;
}

/**
 * Writes the script of a composite step to a file and returns the command that runs it. Rejects if the shell is
 * unsupported.
 * @param shell bash, sh, python, pwsh, powershell, cmd, or a command with `{0}` for the path of the script
 */
async function planShell(shell: string, script: string, folder: string): Promise<PlannedShell> {
  await mkdir(folder, { recursive: true });
  const template = templates[shell] ?? shell;
  if (template.includes('{0}')) {
    const file = join(folder, shell === 'python' ? 'script.py' : 'script.sh');
    await writeFile(file, script, { mode: 0o700 });
    const argv = template
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll('{0}', file));
    return { argv, verbatimArguments: false };
  }
  if (powerShells.includes(shell)) return plan(shell, join(folder, 'script.ps1'), strictPowerShell(script));
  if (shell === 'cmd')
    return plan(shell, join(folder, 'script.cmd'), `@echo off\r\n${script.replaceAll(/\r?\n/g, '\r\n')}`);
  throw new Error(
    `Unknown shell "${shell}". Use bash, sh, pwsh, python, cmd or powershell, or a command with {0} for the script path.`,
  );
}

async function plan(shell: string, file: string, text: string): Promise<PlannedShell> {
  await writeFile(file, text, { mode: 0o700 });
  const known = { command: [shell], chosenByStep: false };
  return { argv: buildScriptArgv(known, file, []), verbatimArguments: readsRawCommandLine(known) };
}

/** Makes a PowerShell script stop at the first error and exit with the exit code of the last program. */
const strictPowerShell = (script: string): string =>
  [
    "$ErrorActionPreference = 'stop'",
    script,
    'if ((Test-Path -LiteralPath variable:\\LASTEXITCODE)) { exit $LASTEXITCODE }',
    '',
  ].join('\r\n');
