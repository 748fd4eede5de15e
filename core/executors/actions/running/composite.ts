import { isAbsolute, resolve } from 'node:path';
import type { JsonObject } from '../../../base/json.ts';
import { messageOf } from '../../../base/errors.ts';
import { fillText, isConditionMet, type ExpressionScope } from '../expressions/evaluate.ts';
import type { CompositeRuns, CompositeStep } from '../manifest/manifest.ts';
import { ActionRecord } from '../messages/action-record.ts';
import type { Inputs } from './inputs.ts';
import { prepareAction, type ActionInstance, type StageInput } from './instance.ts';
import type { Job, ActionResult } from './job.ts';
import { runProgram } from './run-program.ts';
import { makeScope, type ScopeDeps } from './scope.ts';
import { planShell } from './shells.ts';
import { stageVariables } from './stage.ts';

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
  scopeDeps: ScopeDeps,
  { given, env }: { readonly given: Inputs; readonly env: Inputs },
): Promise<ActionUse> {
  const fixed = stageVariables(job, instance);
  const before = makeScope(job, { ...scopeDeps, env: job.environment(scopeDeps.env, fixed) });
  const ownEnv = { ...scopeDeps.env, ...(await fillMap(env, before)) };
  const scope = makeScope(job, { ...scopeDeps, env: job.environment(ownEnv, fixed) });
  return { env: ownEnv, given: await fillMap(given, scope) };
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
      if (this.#job.deps.task.killing.aborted) break;
      await this.#runStep(step, index);
    }
    try {
      await this.#setOutputs();
    } catch (error) {
      this.#failure ??= { error: messageOf(error) };
    }
    return this.#failure ?? {};
  }

  get #context(): ScopeDeps {
    const progress = this.#job.deps.task.signal.aborted ? 'cancelled' : this.#failure ? 'failure' : 'success';
    return { ...this.#input, steps: this.#steps, progress };
  }

  async #runStep(step: CompositeStep, index: number): Promise<void> {
    const record = this.#instance.children.get(index)?.record ?? new ActionRecord();
    let result: ActionResult | undefined;
    let isTolerated = false;
    try {
      const given = step.work.kind === 'uses' ? step.work.with : {};
      const scopeDeps = this.#context;
      const use = await evaluateUse(this.#job, this.#instance, scopeDeps, { given, env: step.env });
      const scope = this.#scope(scopeDeps, use);
      if (!(await isConditionMet(step.if ?? 'success()', scope, true)))
        return this.#keep(step, undefined, record, false);
      isTolerated = (await fillText(step.continueOnError ?? '', scope)).trim() === 'true';
      this.#job.say(`▸ ${await fillText(step.label, scope)}`);
      result = await this.#runWork(step, { index, use, scope, record });
    } catch (error) {
      result = { error: messageOf(error) };
    }
    this.#keep(step, result, record, isTolerated);
  }

  #scope(scopeDeps: ScopeDeps, { env }: ActionUse): ExpressionScope {
    const fixed = stageVariables(this.#job, this.#instance);
    return makeScope(this.#job, { ...scopeDeps, env: this.#job.environment(env, fixed) });
  }

  async #runWork(step: CompositeStep, started: StepRun): Promise<ActionResult> {
    const { work } = step;
    if (work.kind === 'run') return this.#runCommand(step, work, started);
    const known = this.#instance.children.get(started.index);
    if (known !== undefined) return this.#nested.runMain(this.#job, known, started.use);
    const id = step.id ?? `${this.#instance.id}_${started.index + 1}`;
    const action = await prepareAction(this.#job.deps.tools, work.uses, id, this.#instance.way);
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
    const { workingDir } = this.#job.deps.context;
    const folder = await fillText(work.workingDirectory ?? '', scope);
    const script = await fillText(work.run, scope);
    const shell = await fillText(work.shell, scope);
    const fixed = {
      ...stageVariables(this.#job, this.#instance),
      GITHUB_ACTION: id ?? `${this.#instance.id}_${index + 1}`,
    };
    const planned = await planShell(shell, script, this.#job.nextFolder());
    const cwd = isAbsolute(folder) ? folder : resolve(workingDir, folder);
    return runProgram(this.#job, { ...planned, cwd, ownEnv: use.env, fixed }, record);
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
