import path from 'node:path';
import type { DryPlanView, DryStepView } from '../../contract/dry.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import { handlerNames } from '../../model/workflow-rules.ts';
import { AppError } from '../../base/errors.ts';
import { orderTopologically, type GraphNode } from '../../spec/plan/graph.ts';
import { ScopeBuilder, type OpenedScope } from '../values/open-scope.ts';
import { OutputVisibility } from '../values/outputs.ts';
import { findUnknownParams } from '../../spec/params.ts';
import { openParamSchema } from '../params/run-params.ts';
import { resolveParams, type ValueSources } from '../values/resolve-values.ts';
import { dryTools, type LookupResults, type DryRunContext, type DryTask, drySources } from './dry-task.ts';
import { MaskedViews, markUnknown, hasUnknown } from './findings.ts';
import { formatRunRules } from './resolve-action.ts';
import { resolveConditions, resolveStep } from './resolve-step.ts';

/** Resolves a workflow as far as possible without running anything. */
export async function resolvePlan(task: DryTask, dryRun: DryRunContext): Promise<DryPlanView> {
  const { workflow, source, name } = task;
  const { findings } = dryRun;
  const params = await resolveDryParams(task, dryRun);
  const lookups: LookupResults = { dotenv: undefined, secrets: new Set() };
  const { opened, env, logRoot } = await openScope(task, params, dryRun, lookups);
  for (const value of opened.inheritance.masked) dryRun.masked.add(value);
  const views = new MaskedViews(opened.masker);
  const { scope } = opened;
  const context = { scope, views, findings, dryRun, task, inheritance: opened.inheritance };
  const environment = await scope.stepEnvironment([], new Map(), {});
  const { dotenv } = lookups;
  return {
    name,
    file: source.file,
    params: params.map((param) => views.named(param.name, param.value)),
    env: views.list(env),
    workingDir: views.folder(scope.workingDir),
    logDir: views.folder(path.join(logRoot ?? dryRun.logs, name)),
    dotenv: dotenv && { file: dotenv.file, variables: views.list(dotenv.variables) },
    secrets: (workflow.secrets ?? []).map(({ name: secret, provider, key }) => {
      return { name: secret, provider, key, found: lookups.secrets.has(secret) };
    }),
    conditions: await resolveConditions(workflow.preconditions, { ...context, environment }),
    rules: formatRunRules(workflow),
    ...(await resolveSteps(workflow, task.isSubRun, context)),
  };
}

/** Initial state of a run. */
interface OpenedRun {
  readonly opened: OpenedScope;
  readonly env: Readonly<Record<string, string>>;
  /** The workflow's own log directory. */
  readonly logRoot: string | undefined;
}

async function openScope(
  { workflow, source, name, inherited, defaultWorkingDir }: DryTask,
  params: readonly Parameter[],
  { findings, environment, passed, secretSources, runSubstitutions }: DryRunContext,
  lookups: LookupResults,
): Promise<OpenedRun> {
  const all = [...workflow.steps, ...Object.values(workflow.handlers)];
  const stepIds = new Set(all.flatMap(({ id }) => id ?? []));
  const dagRunId = markUnknown('${DAG_RUN_ID}');
  const scopeBuilder = new ScopeBuilder(
    {
      record: { name, dagRunId, defaultWorkingDir },
      params,
      workflow,
      specFile: source.file,
      system: { environment, passed, secretSources, warn: (message) => findings.add('warning', message) },
      inherited,
      // References to step properties are answered before they reach this lookup.
      steps: { read: () => undefined, list: () => ({}) },
    },
    dryTools({ findings, runSubstitutions, stepIds }, lookups),
  );
  const env = await findings.at({ field: 'env' }, () => scopeBuilder.env());
  const logRoot = await findings.at({ field: 'logDir' }, () => scopeBuilder.logRoot());
  const opened = await findings.at({ field: 'workingDir' }, () => scopeBuilder.open(''));
  return { opened, env, logRoot };
}

/** Steps resolved per event-loop tick: some ten milliseconds. */
const stepsPerTurn = 100;

async function resolveSteps(
  workflow: Workflow,
  isSubRun: boolean,
  context: Parameters<typeof resolveStep>[1],
): Promise<Pick<DryPlanView, 'steps' | 'handlers'>> {
  const visible = new OutputVisibility();
  const steps: DryStepView[] = [];
  for (const { step, wave } of orderByWave(workflow.steps)) {
    steps.push(await resolveStep({ step, wave, outputs: visible.before(step) }, context));
    // Thousands of steps must not block the event loop.
    if (steps.length % stepsPerTurn === 0)
      await new Promise<void>((resolve) => context.dryRun.clock.soon(resolve));
    const { output } = step;
    visible.finish(
      step,
      output === undefined ? undefined : { name: output, value: markUnknown(`\${${output}}`) },
    );
  }
  const handlers: DryStepView[] = [];
  for (const handler of handlerNames) {
    const step = workflow.handlers[handler];
    // A sub-run does not run the handlers of the base configuration.
    const isDropped = isSubRun && workflow.inheritedHandlers?.includes(handler) === true;
    if (step === undefined || isDropped) continue;
    handlers.push(await resolveStep({ step, handler, outputs: visible.all }, context));
  }
  return { steps, handlers };
}

/** Resolves the parameters that a run would have. Errors become findings; the parameters then stay unchanged. */
function resolveDryParams(task: DryTask, dryRun: DryRunContext): Promise<readonly Parameter[]> {
  const { source, workflow, inherited } = task;
  const { findings, runSubstitutions } = dryRun;
  const system = {
    environment: { ...dryRun.environment, ...inherited?.variables },
    passed: dryRun.passed,
    warn: (message: string) => findings.add('warning', message),
  };
  const fileDir = source.file === undefined ? process.cwd() : path.dirname(source.file);
  // Includes a first pass over `env`, which happens before the parameters are known.
  const expected = new Set([...workflow.params, ...workflow.env].map(({ name }) => name));
  const context = { findings, runSubstitutions, stepIds: new Set<string>(), expected };
  const sources = drySources(context, system, fileDir);
  return findings.at({ field: 'params' }, async () => {
    for (const message of findUnknownParams(workflow, task.explicitParams)) findings.add('warning', message);
    const resolved = await applySchema(task, dryRun, sources);
    return resolved ?? resolveParams(workflow, task.explicitParams, sources);
  });
}

/** Returns undefined when there is no schema, or only an invalid one. */
async function applySchema(
  { source, workflow, explicitParams, defaultWorkingDir }: DryTask,
  { findings, clock }: DryRunContext,
  sources: ValueSources,
): Promise<readonly Parameter[] | undefined> {
  let params: readonly Parameter[] | undefined;
  try {
    const context = { clock, file: source.file, defaultWorkingDir };
    const schema = await openParamSchema(workflow, context, sources);
    if (schema === undefined) return undefined;
    params = await resolveParams(workflow, schema.nameByPosition(explicitParams), sources);
    const unknown = params.filter(({ value }) => hasUnknown(value)).map(({ name }) => name);
    if (unknown.length === 0) return await schema.apply(params);
    findings.add(
      'info',
      `The schema is checked when the run starts, because these values are only known at run time: ${unknown.join(', ')}.`,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    findings.addError(error);
  }
  return params;
}

/** A step and the wave it belongs to. */
export interface WaveEntry<Node extends GraphNode> {
  readonly step: Node;
  /** From 1: one more than the highest wave of its dependencies. */
  readonly wave: number;
}

/** Sorts steps in the order of execution: by wave (steps that can run in parallel), then in file order. */
function orderByWave<Node extends GraphNode>(steps: readonly Node[]): WaveEntry<Node>[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const waves = new Map<string, number>();
  for (const name of orderTopologically(steps)) {
    const before = byName.get(name)!.depends.map((dependency) => waves.get(dependency) ?? 0);
    waves.set(name, 1 + before.reduce((latest, wave) => Math.max(latest, wave), 0));
  }
  return steps.map((step) => ({ step, wave: waves.get(step.name) ?? 1 })).toSorted((a, b) => a.wave - b.wave);
}
