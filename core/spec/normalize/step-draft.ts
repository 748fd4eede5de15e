import type { StepAction } from '../../model/step.ts';
import type { Authored, AuthoredStep, AuthoredSteps } from '../authored.ts';
import { type Report, getField, type SourceRef } from '../source.ts';
import { readAction } from '../rules/action.ts';

/** A step between the authored and the normalized shape. */
export interface StepDraft {
  readonly authored: AuthoredStep;
  readonly source: SourceRef;
  /** Index of the list item it belongs to; members of a parallel group share one. */
  readonly item: number;
  /** Absent after an error. */
  readonly action?: StepAction | undefined;
  /** As written, or the key in a map of steps; empty until a name is generated. */
  readonly name: string;
}

/** Flattens lists, groups and the map form to one list in the order of the file, and expands shorthands. */
export function draftSteps(steps: Authored['steps'], source: SourceRef, report: Report): StepDraft[] {
  if (steps === undefined) return [];
  if (!Array.isArray(steps)) return draftMap(steps, source, report);
  return steps.flatMap((item, index) => {
    const at = getField(source, index);
    if (!Array.isArray(item)) return [draftStep(item, at, index, report)];
    if (item.length === 0) report.error(at, 'The parallel group is empty. Add steps, or remove the group.');
    return item.map((member, memberIndex) => draftStep(member, getField(at, memberIndex), index, report));
  });
}

type StepMap = Exclude<AuthoredSteps, unknown[]>;

function draftMap(steps: StepMap, source: SourceRef, report: Report): StepDraft[] {
  if (source.node.kind !== 'map') return [];
  // The order comes from the node, because an object puts integer-like keys first.
  return [...source.node.entries.keys()].map((name, index) => {
    const draft = draftStep(steps[name]!, getField(source, name), index, report);
    if (draft.name !== '' && draft.name !== name) {
      report.error(
        getField(draft.source, 'name'),
        `"name" conflicts with the key "${name}" of the step. Remove "name".`,
      );
    }
    return { ...draft, name };
  });
}

/** Drafts one step or its shorthand. */
export function draftStep(
  value: string | AuthoredStep,
  source: SourceRef,
  item: number,
  report: Report,
): StepDraft {
  const authored: AuthoredStep = typeof value === 'string' ? { command: value } : value;
  const action =
    typeof value === 'string' ? readShorthand(value, source, report) : readAction(value, source, report);
  return { authored, source: source, item, action, name: authored.name ?? '' };
}

function readShorthand(command: string, source: SourceRef, report: Report): StepAction | undefined {
  if (command.trim() === '') {
    report.error(source, 'The step is empty. Add a command, or remove the step.');
    return undefined;
  }
  return command.trim().includes('\n') ? { kind: 'script', script: command } : { kind: 'command', command };
}
