import { findNearest } from '../../base/nearest.ts';
import type { StepAction } from '../../model/step.ts';
import type { AuthoredStep } from '../authored.ts';
import { describeRefused, plainStepTypes, refusedStepTypes } from '../later-fields.ts';
import type { Report } from '../source/report.ts';
import { findPlace, isIncomplete, keyStartOf, placeOf, textOf, type Place } from '../source/source-node.ts';
import { readParams } from './params.ts';

const actionKeys = ['command', 'script', 'run'] as const;

/**
 * Reads what a step does: exactly one of `command`, `script` and `run` (seed 1, Step fields).
 * @returns undefined after an error
 */
export function readAction(step: AuthoredStep, place: Place, report: Report): StepAction | undefined {
  if (!checkType(step.type, place, report)) return undefined;
  const given = actionKeys.filter((key) => step[key] !== undefined);
  const [key] = given;
  if (key === undefined) {
    if (!isIncomplete(place)) {
      report.error(place, 'The step does nothing. Give it "command", "script" or "run".');
    }
    return undefined;
  }
  if (given.length > 1) {
    report.errorAt(keyStartOf(place.node, given[1]!), place.path, describeTooMany(given));
    return undefined;
  }
  if (step.params !== undefined && key !== 'run') {
    report.errorAt(
      keyStartOf(place.node, 'params'),
      placeOf(place, 'params').path,
      `"params" belongs to "run"; a step with "${key}" gets values through "env". Move or remove it.`,
    );
  }
  const at = placeOf(place, key);
  if (key === 'run') return readRun(at, findPlace(place, 'params'), report);
  return key === 'command' ? readCommand(at, report) : readScript(at, report);
}

function describeTooMany(given: readonly string[]): string {
  const names = given.map((key) => `"${key}"`).join(' and ');
  const interpreter =
    given.includes('script') && given.includes('command')
      ? ' The interpreter of a script stands on its first line, such as "#!/usr/bin/env python3".'
      : '';
  return `A step does one thing, but ${names} are given. Keep one of them.${interpreter}`;
}

/** A text of several lines is a script; a list is a program with arguments and meets no shell. */
function readCommand(place: Place, report: Report): StepAction | undefined {
  const { node } = place;
  if (node.kind === 'list') {
    const argv = node.items.map(textOf);
    if (argv[0]) return { kind: 'argv', argv };
    report.error(place, '"command" names no program. Write the program as the first item.');
    return undefined;
  }
  const command = textOf(node);
  if (isEmpty(command, place, report)) return undefined;
  return command.trim().includes('\n') ? { kind: 'script', script: command } : { kind: 'command', command };
}

function readScript(place: Place, report: Report): StepAction | undefined {
  const script = textOf(place.node);
  return isEmpty(script, place, report) ? undefined : { kind: 'script', script };
}

function readRun(place: Place, params: Place | undefined, report: Report): StepAction | undefined {
  const dag = textOf(place.node).trim();
  return isEmpty(dag, place, report) ? undefined : { kind: 'dag', dag, params: readParams(params, report) };
}

function isEmpty(text: string, place: Place, report: Report): boolean {
  if (text.trim() !== '') return false;
  report.error(
    place,
    `"${place.path.replace(/^.*\./, '')}" is empty. Write what the step does, or remove the step.`,
  );
  return true;
}

function checkType(type: AuthoredStep['type'], step: Place, report: Report): boolean {
  if (type === undefined) return true;
  const place = placeOf(step, 'type');
  const kind = typeof type === 'string' ? type : type.type;
  if (plainStepTypes.includes(kind)) return true;
  const message = refusedStepTypes.includes(kind)
    ? describeRefused(`The step kind "${kind}"`)
    : describeUnknownType(kind);
  report.error(place, message);
  return false;
}

function describeUnknownType(kind: string): string {
  const near = findNearest(kind, [...plainStepTypes, ...refusedStepTypes]);
  const hint = near === undefined ? 'This version knows "command".' : `Did you mean "${near}"?`;
  return `"${kind.slice(0, 40)}" is no kind of step. ${hint}`;
}
