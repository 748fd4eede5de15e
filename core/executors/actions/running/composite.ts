import { isAbsolute, resolve } from 'node:path';
import type { JsonObject } from '../../../base/json.ts';
import { messageOf } from '../../../base/errors.ts';
import { fillText, holds, type ExpressionScope } from '../expressions/evaluate.ts';
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
export interface Use extends Pick<StageInput, 'env'> {
  readonly given: Inputs;
}

/** Runs the actions that an action uses. */
export interface Nested {
  runPre(job: Job, instance: ActionInstance, use: Use): Promise<ActionResult>;
  runMain(job: Job, instance: ActionInstance, use: Use): Promise<ActionResult>;
}

/** Runs the steps of a composite action in order and then evaluates its outputs. Never rejects. */
export function runComposite(
  job: Job,
  instance: ActionInstance,
  runs: CompositeRuns,
  nested: Nested,
): Promise<ActionResult> {
  return new CompositeRun(job, instance, nested).run(runs.steps);
}

/**
 * Evaluates the inputs that a step of a composite action passes to its action.
 * @throws EvaluationError
 */
export async function fillUse(
  job: Job,
  instance: ActionInstance,
  around: ScopeDeps,
  { given, env }: { readonly given: Inputs; readonly env: Inputs },
): Promise<Use> {
  const fixed = stageVariables(job, instance);
  const before = makeScope(job, { ...around, env: job.environment(around.env, fixed) });
  const own = { ...around.env, ...(await fillMap(env, before)) };
  const scope = makeScope(job, { ...around, env: job.environment(own, fixed) });
  return { env: own, given: await fillMap(given, scope) };
}

async function fillMap(texts: Inputs, scope: ExpressionScope): Promise<Record<string, string>> {
  const filled: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) filled[name] = await fillText(text, scope);
  return filled;
}

class CompositeRun {
  readonly #job: Job;
  readonly #instance: ActionInstance;
  readonly #nested: Nested;
  readonly #gift: StageInput;
  /** Finished steps by id, as expressions see them. */
  readonly #steps: JsonObject = {};
  /** The first failure without `continue-on-error`. */
  #failure: ActionResult | undefined;

  constructor(job: Job, instance: ActionInstance, nested: Nested) {
    this.#job = job;
    this.#instance = instance;
    this.#nested = nested;
    this.#gift = instance.given!;
  }

  async run(steps: readonly CompositeStep[]): Promise<ActionResult> {
    for (const [index, step] of steps.entries()) {
      if (this.#job.parts.task.killing.aborted) break;
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
    const progress = this.#job.parts.task.signal.aborted
      ? 'cancelled'
      : this.#failure
        ? 'failure'
        : 'success';
    return { ...this.#gift, steps: this.#steps, progress };
  }

  async #runStep(step: CompositeStep, index: number): Promise<void> {
    const record = this.#instance.children.get(index)?.record ?? new ActionRecord();
    let result: ActionResult | undefined;
    let isTolerated = false;
    try {
      const given = step.work.kind === 'uses' ? step.work.with : {};
      const around = this.#context;
      const use = await fillUse(this.#job, this.#instance, around, { given, env: step.env });
      const scope = this.#scope(around, use);
      if (!(await holds(step.if ?? 'success()', scope, true)))
        return this.#keep(step, undefined, record, false);
      isTolerated = (await fillText(step.continueOnError ?? '', scope)).trim() === 'true';
      this.#job.say(`▸ ${await fillText(step.label, scope)}`);
      result = await this.#runWork(step, { index, use, scope, record });
    } catch (error) {
      result = { error: messageOf(error) };
    }
    this.#keep(step, result, record, isTolerated);
  }

  #scope(around: ScopeDeps, { env }: Use): ExpressionScope {
    const fixed = stageVariables(this.#job, this.#instance);
    return makeScope(this.#job, { ...around, env: this.#job.environment(env, fixed) });
  }

  async #runWork(step: CompositeStep, started: StartedStep): Promise<ActionResult> {
    const { work } = step;
    if (work.kind === 'run') return this.#runCommand(step, work, started);
    const known = this.#instance.children.get(started.index);
    if (known !== undefined) return this.#nested.runMain(this.#job, known, started.use);
    const id = step.id ?? `${this.#instance.id}_${started.index + 1}`;
    const found = await prepareAction(this.#job.parts.tools, work.uses, id, this.#instance.way);
    const before = await this.#nested.runPre(this.#job, found, started.use);
    const end =
      before.error === undefined ? await this.#nested.runMain(this.#job, found, started.use) : before;
    for (const [name, value] of found.record.outputs) started.record.outputs.set(name, value);
    return end;
  }

  async #runCommand(
    { id }: CompositeStep,
    work: Extract<CompositeStep['work'], { kind: 'run' }>,
    { index, use, scope, record }: StartedStep,
  ): Promise<ActionResult> {
    const { workingDir } = this.#job.parts.context;
    const folder = await fillText(work.workingDirectory ?? '', scope);
    const script = await fillText(work.run, scope);
    const shell = await fillText(work.shell, scope);
    const fixed = {
      ...stageVariables(this.#job, this.#instance),
      GITHUB_ACTION: id ?? `${this.#instance.id}_${index + 1}`,
    };
    const planned = await planShell(shell, script, this.#job.nextFolder());
    const cwd = isAbsolute(folder) ? folder : resolve(workingDir, folder);
    return runProgram(this.#job, { ...planned, cwd, own: use.env, fixed }, record);
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
    const scope = this.#scope(this.#context, { env: this.#gift.env, given: {} });
    for (const { name, value } of manifest.outputs) {
      const text = await fillText(value ?? '', scope);
      record.outputs.set(name, text);
    }
  }
}

/** A step of a composite action whose condition was true. */
interface StartedStep {
  readonly index: number;
  readonly use: Use;
  readonly scope: ExpressionScope;
  readonly record: ActionRecord;
}
