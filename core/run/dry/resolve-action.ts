import type { ContinueOn, RepeatPolicy, Step, ExecutorAction, StepAction } from '../../model/step.ts';
import type { Workflow } from '../../model/workflow.ts';
import { formatLabels, type WorkerSelector, isApproval } from '../../model/workflow-rules.ts';
import type { JsonValue } from '../../base/json.ts';
import type { DryActionView, DryNamedValueView } from '../../contract/dry.ts';
import { chooseShell, readDialect } from '../../executors/shell/shell.ts';
import { scanShellText, listReferences } from '../../spec/shell/scan-shell-text.ts';
import { findInterpreter } from '../../executors/process.ts';
import type { RunScope } from '../values/run-scope.ts';
import { type FindingList, type MaskedViews, findMentionedVariables, hasUnknown } from './findings.ts';

/** A retry policy whose numbers may not be known yet. */
export interface RetrySummary extends Omit<NonNullable<Step['retry']>, 'limit' | 'intervalSec'> {
  readonly limit: string;
  readonly intervalSec: string;
}

const number = (value: number): string => value.toLocaleString('en-US');
const list = (values: readonly (number | string)[]): string => values.join(', ');

/** Describes the rules around a step's attempts, one sentence each. */
export function formatStepRules(
  step: Step,
  retry: RetrySummary | undefined,
  selector: WorkerSelector | undefined,
): string[] {
  const { timeoutSec = 0, signalOnStop, terminal, inputFiles = [], outputFiles = [] } = step;
  return [
    ...(isApproval(step.action) ? ['Waits for approval.'] : []),
    ...(selector === undefined ? [] : [`Runs on a worker with ${formatLabels(selector)}.`]),
    ...(inputFiles.length === 0 ? [] : [`Input artifacts: ${list(inputFiles)}.`]),
    ...(outputFiles.length === 0 ? [] : [`Output artifacts: ${list(outputFiles)}.`]),
    ...(terminal === undefined
      ? []
      : [`Runs in a terminal with ${terminal.columns} columns and ${terminal.rows} rows.`]),
    ...(retry === undefined ? [] : [formatRetry(retry)]),
    ...(step.repeat === undefined ? [] : [formatRepeat(step.repeat)]),
    ...(timeoutSec > 0 ? [`Timeout: ${number(timeoutSec)} s.`] : []),
    ...formatContinueOn(step.continueOn),
    ...(signalOnStop === undefined ? [] : [`Stop signal: ${signalOnStop}.`]),
  ];
}

function formatRetry({ limit, intervalSec, exitCodes, backoff, maxIntervalSec }: RetrySummary): string {
  const after = exitCodes.length === 0 ? 'on failure' : `on exit code ${list(exitCodes)}`;
  const times = limit === '1' ? 'once' : `up to ${limit} times`;
  return `Retried ${after}, ${times}, ${formatWait(intervalSec, backoff, maxIntervalSec)}.`;
}

function formatRepeat(policy: RepeatPolicy): string {
  const { mode, condition, expected, exitCodes, intervalSec, limit, backoff, maxIntervalSec } = policy;
  const value = expected === undefined ? 'succeeds' : `is "${expected}"`;
  const byCode = exitCodes.length > 0 ? `its exit code is ${list(exitCodes)}` : 'it succeeds';
  const trigger = condition === undefined ? byCode : `"${condition}" ${value}`;
  const max = limit === undefined ? '' : `, at most ${number(limit)} times in total`;
  return `Repeated ${mode} ${trigger}${max}, ${formatWait(number(intervalSec), backoff, maxIntervalSec)}.`;
}

function formatWait(interval: string, backoff: number, max: number | undefined): string {
  const growth = backoff === 1 ? '' : `, with backoff factor ${number(backoff)}`;
  const cap = max === undefined || backoff === 1 ? '' : `, at most ${number(max)} s`;
  return `every ${interval} s${growth}${cap}`;
}

function formatContinueOn({ failure, skipped, exitCodes, output, markSuccess }: ContinueOn): string[] {
  const conditions = [
    ...(failure ? ['it fails'] : []),
    ...(skipped ? ['it is skipped'] : []),
    ...(exitCodes.length > 0 ? [`its exit code is ${list(exitCodes)}`] : []),
    ...(output.length > 0 ? [`it fails and prints ${list(output.map((text) => `"${text}"`))}`] : []),
  ];
  if (conditions.length === 0) return [];
  const counts = markSuccess ? ', and the step counts as succeeded' : '';
  return [`Dependent steps continue if ${conditions.join(' or ')}${counts}.`];
}

/** Describes the limits of a whole run, one sentence each. */
export function formatRunRules({ timeoutSec = 0, maxActiveSteps, delaySec = 0 }: Workflow): string[] {
  return [
    ...(timeoutSec > 0 ? [`Timeout: ${number(timeoutSec)} s.`] : []),
    ...(maxActiveSteps > 0 ? [`At most ${number(maxActiveSteps)} steps in parallel.`] : []),
    ...(delaySec > 0 ? [`Delay of ${number(delaySec)} s between step starts.`] : []),
  ];
}

/** Context for resolving an action; the same as for the step's attempt. */
export interface ActionContext {
  readonly step: Step;
  readonly scope: RunScope;
  readonly environment: Readonly<Record<string, string>>;
  readonly views: MaskedViews;
  readonly findings: FindingList;
}

/** An action, and the variables it refers to. */
interface ResolvedAction {
  readonly action: DryActionView;
  readonly variables: DryNamedValueView[];
}

/** Actions that the executor runs itself, without a sub-run. */
type LocalAction = Exclude<StepAction, { kind: 'dag' }>;

/** Resolves what a step would do itself. A missing shell is a finding. */
export async function resolveLocalAction(
  action: LocalAction,
  context: ActionContext,
): Promise<ResolvedAction> {
  const { views } = context;
  switch (action.kind) {
    case 'command': {
      const shell = await findShell(context);
      const variables = await listVariables(action.command, shell, context);
      return {
        action: {
          kind: 'command',
          text: views.plain(action.command),
          shell: shell?.map((arg) => views.value(arg)),
        },
        variables,
      };
    }
    case 'argv': {
      const argv = await expandAll(action.argv, context);
      return { action: { kind: 'argv', argv: argv.map((arg) => views.value(arg)) }, variables: [] };
    }
    case 'script': {
      const program = await findScriptProgram(action, context);
      const variables = await listVariables(action.script, program, context);
      const shell = program?.map((arg) => views.value(arg));
      return { action: { kind: 'script', text: views.plain(action.script), shell }, variables };
    }
    case 'executor': {
      const sent = isSentVerbatim(action.type);
      const { command, script } = action;
      const evaluated = { ...action, ...Object.fromEntries(sent.map((field) => [field, undefined])) };
      const fields = await expandFields(listFields(evaluated), context);
      for (const [name, value] of Object.entries({ command, script }))
        if (value !== undefined && sent.some((field) => field === name))
          fields.unshift({ name, value: views.plain(value) });
      return { action: { kind: 'executor', type: action.type, fields }, variables: [] };
    }
  }
}

/**
 * Fields that are sent as written: scripts for a shell or interpreter elsewhere, which expands them itself, and SQL.
 */
function isSentVerbatim(type: ExecutorAction['type']): readonly ('command' | 'script')[] {
  if (type === 'sql') return ['command', 'script'];
  return type === 'container' || type === 'ssh' ? ['script'] : [];
}

/** Lists all fields that the executor evaluates, by their display names. */
function listFields({
  command,
  argv,
  script,
  params = [],
  config,
  container,
}: ExecutorAction): [string, string][] {
  return [
    ...(command === undefined ? [] : listTexts('command', command)),
    ...(argv === undefined ? [] : listTexts('command', argv)),
    ...(script === undefined ? [] : listTexts('script', script)),
    ...params.flatMap(({ name, value }) => listTexts(`params.${name}`, value)),
    ...(container === undefined ? [] : listContainer(container)),
    ...Object.entries(config).flatMap(([name, value]) => listTexts(`config.${name}`, value as JsonValue)),
  ];
}

/** Describes where a container step runs. */
function listContainer({ isShared, spec }: NonNullable<ExecutorAction['container']>): [string, string][] {
  const { env, ...fields } = spec;
  return [
    ...(isShared ? [['container', 'container of the workflow'] satisfies [string, string]] : []),
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : listTexts(`container.${name}`, value),
    ),
    ...env.flatMap(({ name, value }) => listTexts(`container.env.${name}`, value)),
  ];
}

function listTexts(path: string, value: JsonValue): [string, string][] {
  if (value === null || typeof value !== 'object') return [[path, String(value ?? '')]];
  if (Array.isArray(value)) return value.flatMap((item, index) => listTexts(`${path}[${index}]`, item));
  return Object.entries(value).flatMap(([key, item]) => listTexts(`${path}.${key}`, item));
}

async function expandFields(
  fields: readonly [string, string][],
  { scope, environment, views }: ActionContext,
): Promise<DryNamedValueView[]> {
  const variableViews: DryNamedValueView[] = [];
  for (const [name, text] of fields)
    variableViews.push(views.named(name, await scope.expand(text, environment)));
  return variableViews;
}

async function findShell(context: ActionContext): Promise<readonly string[] | undefined> {
  const { step, scope, environment, findings } = context;
  try {
    const shell = await scope.shellFor(step.shell, environment);
    return chooseShell({ step, shell, env: environment }).command;
  } catch (error) {
    findings.addError(error);
    return undefined;
  }
}

async function findScriptProgram(
  { command, script }: Extract<StepAction, { kind: 'script' }>,
  context: ActionContext,
): Promise<readonly string[] | undefined> {
  if (command !== undefined) return expandAll(command, context);
  return findInterpreter(context.step, script) ?? findShell(context);
}

async function expandAll(args: readonly string[], { scope, environment }: ActionContext): Promise<string[]> {
  const expanded: string[] = [];
  for (const arg of args) expanded.push(await scope.expand(arg, environment));
  return expanded;
}

/** Lists the variables that a script refers to, then the parts of them that the engine passes in separate variables. */
async function listVariables(
  text: string,
  shell: readonly string[] | undefined,
  { scope, environment, views }: ActionContext,
): Promise<DryNamedValueView[]> {
  const dialect = readDialect(shell ?? []);
  const positionals = scope.positional.map((value, index): [string, string] => [String(index + 1), value]);
  const known: Record<string, string> = { ...environment, ...Object.fromEntries(positionals) };
  const mentioned = findMentionedVariables(text, Object.keys(known), dialect);
  const namedValues = mentioned.map((name) => views.named(name, known[name]!));
  if (dialect === undefined) return namedValues;
  const deps = new Set<string>();
  for (const { name, path } of listReferences(scanShellText(text, dialect)))
    if (path !== '') deps.add(`${name}${path}`);
  for (const part of deps) {
    const value = await scope.expand(`\${${part}}`, environment);
    const isRead = hasUnknown(value) || value !== `\${${part}}`;
    if (isRead) namedValues.push(views.named(part, value));
  }
  return namedValues;
}
