import type { Step, StepAction, TerminalSize, Parallel, ParallelItem } from '../../model/step.ts';
import { type Report, findField, getField, type SourceRef, getText, type SourceNode } from '../source.ts';
import { readArtifactNames } from '../artifact-names.ts';
import { readConditions } from '../rules/conditions.ts';
import { readEnv, readTextMap, checkVariableName } from '../rules/env.ts';
import {
  readTimeout,
  readContinueOn,
  readRepeatPolicy,
  readRetryPolicy,
  readSignal,
} from '../rules/policies.ts';
import { readShell, readShellPackages } from '../rules/shell.ts';
import type { AuthoredStep, AuthoredParallel } from '../authored.ts';
import { runsLocally } from './step-target.ts';
import type { StepDraft } from './step-draft.ts';

/** Converts a step draft to a step. Returns undefined if the step has no valid action. */
export function normalizeStep(
  draft: StepDraft,
  name: string,
  depends: string[],
  report: Report,
): Step | undefined {
  const { authored, source, action } = draft;
  const step = {
    name,
    id: authored.id,
    description: authored.description,
    runsLocally: runsLocally(authored.type),
    depends,
    dir: authored.dir,
    shell: readShell(findField(source, 'shell'), report),
    shellPackages: readShellPackages(source, action, report),
    terminal: readTerminal(authored, source, action, report),
    env: readEnv(findField(source, 'env'), report),
    output: readOutput(authored.output, getField(source, 'output'), report),
    stdout: authored.stdout,
    stderr: authored.stderr,
    continueOn: readContinueOn(authored.continueOn, getField(source, 'continueOn'), report),
    retry: readRetryPolicy(authored.retryPolicy, getField(source, 'retryPolicy'), report),
    repeat: readRepeatPolicy(authored.repeatPolicy, getField(source, 'repeatPolicy'), report),
    parallel: readParallel(authored.parallel, getField(source, 'parallel'), report),
    preconditions: readConditions(authored.preconditions, getField(source, 'preconditions'), report),
    timeoutSec: readTimeout(authored.timeoutSec),
    signalOnStop: readSignal(authored.signalOnStop, getField(source, 'signalOnStop'), report),
    mailOnError: authored.mailOnError,
    workerSelector: readTextMap(source, 'workerSelector'),
    inputFiles: readArtifactNames(source, 'inputFiles', action?.kind === 'dag', report),
    outputFiles: readArtifactNames(source, 'outputFiles', action?.kind === 'dag', report),
    onPartition: authored.onPartition,
    at: report.lines.locate(source.node.start),
  };
  return action && { ...step, action };
}

/** Reads `output`: the name of a variable; a leading `$` is dropped. */
function readOutput(value: string | undefined, source: SourceRef, report: Report): string | undefined {
  if (value === undefined) return undefined;
  const name = value.trim().replace(/^\$/, '');
  checkVariableName(name, source.node.start, source.path, report);
  return name;
}

/** Wide enough for the tables of most programs, because the size of the terminal never changes. */
const defaultSize: TerminalSize = { columns: 120, rows: 40 };

/** Reads `tty` of a step: whether its process has a terminal, and its size. */
function readTerminal(
  { tty }: AuthoredStep,
  step: SourceRef,
  action: StepAction | undefined,
  report: Report,
): TerminalSize | undefined {
  if (tty === undefined || tty === false) return undefined;
  if (action?.kind === 'dag' || action?.kind === 'executor')
    report.error(
      getField(step, 'tty'),
      '"tty" only works for steps that run a local command or script. Remove it.',
    );
  const { columns = defaultSize.columns, rows = defaultSize.rows } = tty === true ? defaultSize : tty;
  return { columns: Number(columns), rows: Number(rows) };
}

const DEFAULT_CONCURRENT = 10;

/** Reads `parallel`: an expression, a list of items, or a map with `items`. */
function readParallel(
  value: AuthoredParallel | undefined,
  source: SourceRef,
  report: Report,
): Parallel | undefined {
  if (value === undefined) return undefined;
  const isMap = typeof value === 'object' && !Array.isArray(value);
  const items = isMap ? getField(source, 'items') : source;
  return {
    items: items.node.kind === 'list' ? items.node.items.map(readItem) : readExpression(items, report),
    maxConcurrent: Number((isMap ? value.maxConcurrent : undefined) ?? DEFAULT_CONCURRENT),
  };
}

function readItem(node: SourceNode): ParallelItem {
  if (node.kind !== 'map') return getText(node);
  const entries = [...node.entries].map(([key, entry]) => [key, getText(entry.node)] as const);
  // Creates own properties for all keys; an assignment would not for `__proto__`.
  return Object.fromEntries(entries);
}

function readExpression(source: SourceRef, report: Report): string {
  const expression = getText(source.node);
  if (expression.trim() === '') {
    report.error(
      source,
      '"parallel" has no items. Add a list of items, or an expression such as "${ITEMS}".',
    );
  }
  return expression;
}
