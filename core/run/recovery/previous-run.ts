import path from 'node:path';
import type { NodeId, RunEvent } from '../../model/run-event.ts';
import type { Step } from '../../model/step.ts';
import {
  attemptFiles,
  type ItemRecord,
  type RunDetail,
  type StepRecord,
  type RunRef,
} from '../../model/run.ts';
import type { Workflow } from '../../model/workflow.ts';
import { joinSelectors, type WorkerSelector } from '../../model/workflow-rules.ts';
import { toSubRunResult } from '../../executors/dag.ts';
import type { RunStore } from '../../store/types/runs.ts';
import { AppError, toAppError } from '../../base/errors.ts';
import { loadInThread } from '../../home/library/load-in-thread.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { selectSteps } from '../../spec/plan/graph.ts';
import type { Termination } from '../run-handlers.ts';
import { type CompletedItems, itemKey, type CompletedItem } from '../steps/items-attempt.ts';
import type { NodeResult, OpenNode } from '../steps/node-task.ts';
import { captureOutput } from '../values/outputs.ts';
import { findNode, assertNoMaskedParams } from '../run-input.ts';
import { ScopeBuilder, type Inheritance } from '../values/open-scope.ts';
import { StepProperties } from '../values/run-scope.ts';
import type { SystemContext } from '../values/resolve-values.ts';
import { readRunOtel } from '../run-telemetry.ts';
import type { LoadedFile } from '../run-service.ts';

/** The earlier state of a run that is retried or taken over. */
export interface PreviousRun {
  /** Steps that keep their results; the others run again. */
  readonly reusedResults: ReadonlyMap<string, NodeResult>;
  /** Number of the newest attempt of each node that had one, by `section:name`. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Items that steps with `parallel` need not run again, by step name. */
  readonly items: ReadonlyMap<string, CompletedItems>;
  /** The requested step: it starts regardless of the results of its dependencies. */
  readonly from?: string;
  /** Only the step `from` runs, once, without its retry policy; all others stay unchanged. */
  readonly onlyThisStep: boolean;
  /** Whether it resumed with the current file; its sub-runs then do, too. */
  readonly usesFile: boolean;
  /** How far it was when its host was lost; absent for a run that had ended. */
  readonly inProgress?: InterruptedRun;
}

/** State of a run whose host was lost. Times in epoch milliseconds. */
export interface InterruptedRun {
  /** When it was started or retried; absent when it had not started yet. */
  readonly startedAt?: number;
  /** When its newest step started. */
  readonly lastStepAt?: number;
  /** The reason why it was ending early. */
  readonly termination?: Termination;
  /** `init`: its conditions were met and the init handler has started; `steps`: a step has started. */
  readonly stage: 'conditions' | 'init' | 'steps';
  /** Nodes that had started and not ended, by `section:name`. */
  readonly open: ReadonlyMap<string, OpenNode>;
  /** Results of handlers, by the names of their steps. */
  readonly handlers: ReadonlyMap<string, NodeResult>;
  /** Names of the steps that had ended since then; `reusedResults` may contain others, which a retry keeps. */
  readonly ended: ReadonlySet<string>;
  /** Mails that were started, by what they are about, and whether their outcome is known. */
  readonly mailed: ReadonlyMap<string, 'tried' | 'unknown'>;
  /** The event of the takeover, for the run's log. */
  readonly recoveredEvent: Extract<RunEvent, { type: 'run.recovered' }>;
}

/** Returns the number of a node's newest attempt before the retry or takeover; 0 for none. */
export const previousAttempts = (previousRun: PreviousRun | undefined, { section, name }: NodeId): number =>
  previousRun?.attempts.get(`${section}:${name}`) ?? 0;

/** Returns the state of a node that was running when its host was lost. */
export const findOpenNode = (
  previousRun: PreviousRun | undefined,
  { section, name }: NodeId,
): OpenNode | undefined => previousRun?.inProgress?.open.get(`${section}:${name}`);

/** Returns the steps that keep their results, each after its dependencies. */
export function sortReusedSteps(steps: readonly Step[], { reusedResults }: PreviousRun): Step[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const ordered = new Set<Step>();
  // A stack instead of recursion: a chain can have thousands of steps.
  const open = steps.filter(({ name }) => reusedResults.has(name)).toReversed();
  const visited = new Set<Step>();
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (ordered.has(step)) continue;
    const dependencies = visited.has(step) ? [] : step.depends.map((name) => byName.get(name)!);
    const pending = dependencies.filter(
      (dependency) => reusedResults.has(dependency.name) && !ordered.has(dependency),
    );
    visited.add(step);
    if (pending.length === 0) ordered.add(step);
    else open.push(step, ...pending);
  }
  return [...ordered];
}

/** An ended run whose steps with `parallel` run again. */
export interface PreviousItemsInput {
  readonly store: Pick<RunStore, 'listItems' | 'getDetail'>;
  readonly detail: RunDetail;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  readonly workflow: Workflow;
  /** Names of the steps that run again. */
  readonly rerunSteps: readonly string[];
  /** Returns the number of a step's last attempt that does not count; by default, all attempts count. */
  after?(step: string): number;
}

/** The maximum number of items of a step. */
const maxItems = 1000;

/** Reads the items that succeeded and need not run again, by step name. */
export async function readPreviousItems({
  store,
  detail,
  runDir,
  workflow,
  rerunSteps,
  after = () => 0,
}: PreviousItemsInput): Promise<Map<string, CompletedItems>> {
  const records = new Map(
    detail.steps.map((record) => [`${record.node.section}:${record.node.name}`, record]),
  );
  const completedItems = new Map<string, CompletedItems>();
  for (const step of workflow.steps) {
    const record = records.get(`step:${step.name}`);
    if (step.parallel === undefined || record === undefined || !rerunSteps.includes(step.name)) continue;
    const attempts = record.attempts.filter(({ attempt }) => attempt > after(step.name));
    const done = new Map<string, CompletedItem>();
    for (const item of await listSucceeded(store, detail, { ...record, attempts })) {
      const captureResult = await readOutput({ store, runDir, workflow }, step, item);
      if (captureResult === undefined) continue;
      const end: CompletedItem = { status: 'succeeded', end: {}, ...captureResult };
      done.set(itemKey({ number: item.item, text: item.value }), end);
    }
    completedItems.set(step.name, done);
  }
  return completedItems;
}

/** Lists the items of all attempts: a later attempt only runs the items that are left. */
async function listSucceeded(
  store: PreviousItemsInput['store'],
  { run }: RunDetail,
  { node, attempts }: StepRecord,
): Promise<ItemRecord[]> {
  const items = await Promise.all(
    attempts.map(({ attempt }) =>
      store.listItems(run, { node, attempt, statuses: ['succeeded'], limit: maxItems }),
    ),
  );
  return items.flat();
}

/** Returns the output of the item; undefined when it is no longer available, so that the item has to run again. */
async function readOutput(
  { store, runDir, workflow }: Pick<PreviousItemsInput, 'store' | 'runDir' | 'workflow'>,
  { action }: Step,
  { dir, subRun }: ItemRecord,
): Promise<Pick<CompletedItem, 'output'> | undefined> {
  if (action.kind === 'dag') {
    const child = subRun && (await store.getDetail(subRun));
    return child && { output: toSubRunResult(child) };
  }
  try {
    const captured = captureOutput(path.join(runDir, dir, attemptFiles.stdout), workflow.maxOutputSize);
    return 'value' in captured ? { output: captured.value } : {};
  } catch {
    // Its log was deleted.
    return undefined;
  }
}

/** An ended run whose values are resolved again. */
export interface InheritanceInput {
  readonly store: Pick<RunStore, 'getDetail'>;
  /** Absolute path of the home. */
  readonly home: string;
  readonly system: SystemContext;
}

/**
 * Resolves what a run passes on to the runs of its steps again, from what is stored of it: for a sub-run that is
 * retried separately.
 * @throws `bad_request` when a value is no longer available
 */
export async function readInheritance(
  input: InheritanceInput,
  parent: RunRef & { readonly step: string },
): Promise<Inheritance | undefined> {
  const detail = await input.store.getDetail(parent);
  if (detail === undefined) return undefined;
  const { run } = detail;
  assertNoMaskedParams(run);
  const { workflow, source } = await loadStored(detail);
  const inherited = run.parent && (await readInheritance(input, run.parent));
  const scopeBuilder = new ScopeBuilder({
    record: run,
    params: run.params,
    workflow,
    specFile: source.file,
    system: input.system,
    inherited,
    steps: new StepProperties([]),
  });
  try {
    const opened = await scopeBuilder.open(path.resolve(input.home, run.logDir));
    return {
      ...opened.inheritance,
      workerSelector: selectorFor(parent.step, workflow, inherited),
      telemetry: await readRunOtel(workflow, inherited, opened),
    };
  } catch (error) {
    const reason = (await scopeBuilder.openMasker()).mask(toAppError(error).message);
    throw new AppError(
      'bad_request',
      `Cannot restore the values that run ${run.dagRunId} of ${run.name} passes to sub-runs: ${reason}`,
    );
  }
}

/**
 * Returns the labels that the step passed on to its sub-runs. Only the step's name is stored, which a handler may
 * share.
 */
function selectorFor(
  name: string,
  workflow: Workflow,
  inherited: Inheritance | undefined,
): WorkerSelector | undefined {
  const step =
    findNode(workflow, { section: 'step', name }) ?? findNode(workflow, { section: 'handler', name });
  return joinSelectors(inherited?.workerSelector, workflow.workerSelector, step?.workerSelector);
}

/** The workflows of a run, loaded from the sources stored with it. */
export interface StoredSource {
  readonly source: LoadedFile;
  readonly document: number;
  /** The run's own workflow; for a run of a part, only that part. */
  readonly workflow: Workflow;
}

/**
 * Loads the workflow that a run executed; its file may have been changed or deleted since.
 * @throws `invalid_spec` when this release cannot load the source any more
 */
export async function loadStored({ run, spec }: Pick<RunDetail, 'run' | 'spec'>): Promise<StoredSource> {
  if (run.trigger === 'migrated') {
    throw new AppError(
      'invalid_spec',
      `Run ${run.dagRunId} of ${run.name} was migrated from an earlier release that did not store the workflow. ` +
        'Start the workflow from its file instead.',
    );
  }
  const { text, base: baseText, file, document } = spec;
  const base = baseText === undefined ? undefined : { text: baseText };
  const { workflows, diagnostics } = await loadInThread({ text, file, base });
  const definition = workflows[document];
  const workflow = definition && run.onlySteps ? selectSteps(definition, run.onlySteps) : definition;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (workflow !== undefined && errors.length === 0)
    return { source: { text, baseText, file, workflows, diagnostics }, document, workflow };
  const reason = errors[0] === undefined ? '' : `: ${formatDiagnostic(errors[0])}`;
  throw new AppError(
    'invalid_spec',
    `This release cannot load the stored workflow of run ${run.dagRunId} of ${run.name}${reason}. ` +
      'Start the workflow from its file instead.',
    { details: { diagnostics: errors } },
  );
}
