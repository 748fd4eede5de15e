import path from 'node:path';
import type { DryPlanView, DryStepView } from '../../../contract/runs/dry.ts';
import { handlerNames } from '../../../model/workflow/handler-name.ts';
import type { Parameter, Workflow } from '../../../model/workflow/workflow.ts';
import { ScopeBuilder, type OpenedScope } from '../../values/open-scope.ts';
import { OutputVisibility } from '../../values/outputs.ts';
import { dryTools, type LookupResults } from '../dry-tools.ts';
import type { DryDeps, DryTask } from '../dry-task.ts';
import { MaskedViews } from '../masked-views.ts';
import { describeRunRules } from '../policy-words.ts';
import { resolveDryParams } from './resolve-dry-params.ts';
import { resolveConditions, resolveStep } from './resolve-step.ts';
import { markUnknown } from '../unknown-text.ts';
import { orderByWave } from '../wave-order.ts';

/** Resolves a workflow as far as possible without running anything. */
export async function resolvePlan(task: DryTask, deps: DryDeps): Promise<DryPlanView> {
  const { workflow, source, name } = task;
  const { findings } = deps;
  const params = await resolveDryParams(task, deps);
  const lookups: LookupResults = { dotenv: undefined, secrets: new Set() };
  const { opened, env, logRoot } = await openScope(task, params, deps, lookups);
  for (const value of opened.inheritance.masked) deps.masked.add(value);
  const views = new MaskedViews(opened.masker);
  const { scope } = opened;
  const context = { scope, views, findings, dryDeps: deps, task, inheritance: opened.inheritance };
  const environment = await scope.stepEnvironment([], new Map(), {});
  const { dotenv } = lookups;
  return {
    name,
    file: source.file,
    params: params.map((param) => views.named(param.name, param.value)),
    env: views.list(env),
    workingDir: views.folder(scope.workingDir),
    logDir: views.folder(path.join(logRoot ?? deps.logs, name)),
    dotenv: dotenv && { file: dotenv.file, variables: views.list(dotenv.variables) },
    secrets: (workflow.secrets ?? []).map(({ name: secret, provider, key }) => {
      return { name: secret, provider, key, found: lookups.secrets.has(secret) };
    }),
    conditions: await resolveConditions(workflow.preconditions, { ...context, environment }),
    rules: describeRunRules(workflow),
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
  { findings, environment, passed, keychain, runSubstitutions }: DryDeps,
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
      system: { environment, passed, keychain, warn: (message) => findings.add('warning', message) },
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
      await new Promise<void>((resolve) => context.dryDeps.clock.soon(resolve));
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
