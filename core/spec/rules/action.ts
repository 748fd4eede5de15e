import { findNearest } from '../../base/text.ts';
import {
  executorAliases,
  executorTypes,
  findExecutorType,
  plainStepTypes,
  type ExecutorType,
} from '../../model/step-types.ts';
import type { StepAction } from '../../model/step.ts';
import type { AuthoredStep } from '../authored.ts';
import { readExecutorAction } from './executor-action.ts';
import {
  type Report,
  findField,
  isIncomplete,
  getKeyStart,
  getField,
  getText,
  type SourceRef,
} from '../source.ts';
import { splitWords } from '../split-words.ts';
import { readParams } from './params.ts';

type ScriptAction = Extract<StepAction, { kind: 'script' }>;

const actionKeys = ['command', 'script', 'run'] as const;

/**
 * Reads the action of a step: one of `command`, `script` and `run`, or a `command` with a `script`.
 * @returns undefined after an error
 */
export function readAction(step: AuthoredStep, source: SourceRef, report: Report): StepAction | undefined {
  const executor = readExecutor(step, source, report);
  if (executor === undefined) return undefined;
  if (executor !== 'plain') return readExecutorAction(executor, step, source, report);
  const actions = listActions(step, source, report);
  const [key] = actions;
  if (key === undefined) {
    if (!isIncomplete(source)) {
      report.error(source, 'The step has nothing to run. Add "command", "script" or "run".');
    }
    return undefined;
  }
  if (actions.length > 1 && actions.includes('run')) {
    report.errorAt(getKeyStart(source.node, actions[1]!), source.path, formatTooMany(actions, source));
    return undefined;
  }
  if (step.params !== undefined && key !== 'run') {
    report.errorAt(
      getKeyStart(source.node, 'params'),
      getField(source, 'params').path,
      `"params" requires "run". Steps with "${key}" use "env" instead.`,
    );
  }
  if (actions.length > 1) return readScriptForCommand(source, report);
  const at = getField(source, key);
  if (key === 'run') return readRun(at, findField(source, 'params'), report);
  return key === 'command' ? readCommand(at, report) : readScript(at, report);
}

/** Lists the actions. An empty `run` or `script` counts as absent if there is another action, as in Dagu. */
function listActions(
  step: AuthoredStep,
  source: SourceRef,
  report: Report,
): readonly (typeof actionKeys)[number][] {
  const written = actionKeys.filter((key) => step[key] !== undefined);
  const filled = written.filter((key) => key === 'command' || String(step[key]).trim() !== '');
  if (filled.length === 0) return written;
  for (const key of written.filter((one) => !filled.includes(one))) {
    const message = `"${key}" is empty and has no effect. Set a value, or remove it.`;
    report.warningAt(getKeyStart(source.node, key), getField(source, key).path, message);
  }
  return filled;
}

/** Reads the executor. A step with its own container is a container step even without a type. */
function readExecutor(
  step: AuthoredStep,
  source: SourceRef,
  report: Report,
): ExecutorType | 'plain' | undefined {
  const executor = readType(step.type, source, report);
  if (executor !== 'plain') return executor;
  if (disallowsConfig(source, report)) return undefined;
  if (step.container === undefined) return executor;
  const named = typeof step.type === 'object' ? step.type.type : step.type;
  if (named === undefined || named === '') return 'container';
  const message = `Steps of type "${named}" run on this machine, but "container" is set. Remove one of them.`;
  report.errorAt(getKeyStart(source.node, 'container'), getField(source, 'container').path, message);
  return undefined;
}

/** Reports a `config`, next to `type` or inside it, that no executor uses. Returns whether it did. */
function disallowsConfig(step: SourceRef, report: Report): boolean {
  const holder = [step, getField(step, 'type')].find((field) => findField(field, 'config') !== undefined);
  if (holder === undefined) return false;
  const message =
    '"config" requires a step type that supports it, such as "type: http". Add the type, or remove "config".';
  report.errorAt(getKeyStart(holder.node, 'config'), getField(holder, 'config').path, message);
  return true;
}

/** Uses the keys as written in the file: `run` may be written as `call`. */
function formatTooMany(actions: readonly string[], { node }: SourceRef): string {
  const written = actions.map((key) => (node.kind === 'map' && node.entries.get(key)?.written) || key);
  const names = written.map((key) => `"${key}"`).join(' and ');
  return `A step can only have one action, but has ${names}. Keep one of them.`;
}

/**
 * Reads a command. A string with several lines is a script; a list is a program with arguments and is not run by a
 * shell.
 */
function readCommand(source: SourceRef, report: Report): StepAction | undefined {
  const { node } = source;
  if (node.kind === 'list') {
    const argv = node.items.map(getText);
    if (argv[0]) return { kind: 'argv', argv };
    report.error(source, '"command" has no program. Add the program as the first item.');
    return undefined;
  }
  const command = getText(node);
  if (isEmpty(command, source, report)) return undefined;
  return command.trim().includes('\n') ? { kind: 'script', script: command } : { kind: 'command', command };
}

function readScript(source: SourceRef, report: Report): ScriptAction | undefined {
  const script = getText(source.node);
  return isEmpty(script, source, report) ? undefined : { kind: 'script', script };
}

/** Reads a command with a script: the program and its arguments are words, followed by the path of the script. */
function readScriptForCommand(step: SourceRef, report: Report): StepAction | undefined {
  const action = readScript(getField(step, 'script'), report);
  const { node, path } = getField(step, 'command');
  const command = node.kind === 'list' ? node.items.map(getText) : splitWords(getText(node));
  if (command[0]) return action && { ...action, command };
  report.error(
    { node, path },
    '"command" has no program for the script. Add a program, or remove "command".',
  );
  return undefined;
}

function readRun(source: SourceRef, params: SourceRef | undefined, report: Report): StepAction | undefined {
  const dag = getText(source.node).trim();
  if (isEmpty(dag, source, report)) return undefined;
  if (/\s/.test(dag) && !/[$`]|\.ya?ml$/.test(dag)) {
    const [line = ''] = dag.split('\n');
    report.warning(
      source,
      `"${line.slice(0, 60)}" is not a workflow name. To run a command, use "command: ${line.slice(0, 60)}".`,
    );
  }
  return { kind: 'dag', dag, params: readParams(params, report) };
}

function isEmpty(text: string, source: SourceRef, report: Report): boolean {
  if (text.trim() !== '') return false;
  report.error(source, `"${source.path.replace(/^.*\./, '')}" is empty. Add an action, or remove the step.`);
  return true;
}

/** Returns the named executor, or `plain` if the other fields determine the action; undefined after an error. */
function readType(
  type: AuthoredStep['type'],
  step: SourceRef,
  report: Report,
): ExecutorType | 'plain' | undefined {
  if (type === undefined) return 'plain';
  const field = getField(step, 'type');
  const written = typeof type === 'string' ? type : type.type;
  if (plainStepTypes.includes(written)) return 'plain';
  const name = findExecutorType(written);
  if (name !== undefined) return name;
  report.error(field, formatUnknownType(written));
  return undefined;
}

function formatUnknownType(kind: string): string {
  const near = findNearest(kind, [...plainStepTypes, ...executorTypes, ...Object.keys(executorAliases)]);
  const hint =
    near === undefined
      ? `Valid types: ${[...plainStepTypes.filter(Boolean), ...executorTypes].join(', ')}.`
      : `Did you mean "${near}"?`;
  return `Unknown step type "${kind.slice(0, 40)}". ${hint}`;
}
