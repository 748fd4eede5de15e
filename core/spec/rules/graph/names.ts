import { dagNamePattern } from '../../../base/ids.ts';
import type { StepAction } from '../../../model/workflow/step.ts';
import type { Report } from '../../source/report.ts';
import { findField, fieldOf } from '../../source/source-node.ts';
import type { StepDraft } from '../../normalize/step-draft.ts';

/** Ids that references such as `${env.X}` would confuse with something else. */
export const reservedIds: ReadonlySet<string> = new Set([
  'env',
  'params',
  'args',
  'stdout',
  'stderr',
  'output',
  'outputs',
]);

/** Whether a string can be the name of a step, which lists, logs and terminals show on one line. */
export const isSingleLine = (name: string): boolean => name.trim() !== '' && !/\p{Cc}/u.test(name);

const prefixes: Readonly<Record<Exclude<StepAction['kind'], 'executor'>, string>> = {
  command: 'cmd',
  argv: 'cmd',
  script: 'script',
  dag: 'dag',
};

/**
 * Returns the default name of a workflow: its file name without the extension, else `dag`.
 * @returns the name, or an error message if the file name is not a valid workflow name
 */
export function nameFromFile(file: string): { name: string } | { fault: string } {
  const base = file.split(/[/\\]/).at(-1) ?? '';
  const name = base.replace(/\.ya?ml$/i, '');
  if (name === '' || name === '-') return { name: 'dag' };
  if (new RegExp(dagNamePattern).test(name)) return { name };
  const fault =
    name.length > 40
      ? `has ${name.length} characters (the limit is 40)`
      : /^\.{1,2}$/.test(name)
        ? 'refers to a folder'
        : 'can only contain letters, digits, "_", "." and "-"';
  return {
    fault: `The workflow name comes from the file name, but "${name.slice(0, 60)}" ${fault}. Add "name:", or rename the file.`,
  };
}

/**
 * Names every step: as written, else by type and position, `cmd_1`, `script_2`, `parallel_3`, with the next free
 * number if the name is taken. Reports duplicate names and ids.
 */
export function nameSteps(drafts: readonly StepDraft[], report: Report): string[] {
  const usedNames = new Map<string, StepDraft>();
  for (const draft of drafts) if (draft.name !== '') takeName(draft, usedNames, report);
  checkIds(drafts, usedNames, report);
  return drafts.map((draft, index) => {
    if (draft.name !== '') return draft.name;
    const prefix = choosePrefix(draft);
    let number = index + 1;
    while (usedNames.has(`${prefix}_${number}`)) number += drafts.length;
    usedNames.set(`${prefix}_${number}`, draft);
    return `${prefix}_${number}`;
  });
}

/** The same as in Dagu, so that `depends` can refer to generated names. */
function choosePrefix({ authored, action }: StepDraft): string {
  if (authored.parallel !== undefined) return 'parallel';
  if (action === undefined) return 'step';
  return action.kind === 'executor' ? action.type : prefixes[action.kind];
}

function takeName(draft: StepDraft, usedNames: Map<string, StepDraft>, report: Report): void {
  const { name, source } = draft;
  const at = findField(source, 'name') ?? source;
  if (!isSingleLine(name))
    report.error(at, 'A step name must be a single line of text. Change it, or remove "name".');
  const first = usedNames.get(name);
  if (first === undefined) {
    usedNames.set(name, draft);
    return;
  }
  const { line } = report.lines.locate(fieldOf(first.source, 'name').node.start);
  report.error(at, `Duplicate step name "${name.slice(0, 80)}" (first used in line ${line}). Rename one.`);
}

function checkIds(drafts: readonly StepDraft[], names: ReadonlyMap<string, StepDraft>, report: Report): void {
  const ids = new Map<string, StepDraft>();
  for (const draft of drafts) {
    const { id } = draft.authored;
    if (id === undefined) continue;
    const fault = findIdIssue(id, draft, names, ids, report);
    if (fault !== undefined) report.error(fieldOf(draft.source, 'id'), fault);
    ids.set(id, draft);
  }
}

function findIdIssue(
  id: string,
  draft: StepDraft,
  names: ReadonlyMap<string, StepDraft>,
  ids: ReadonlyMap<string, StepDraft>,
  report: Report,
): string | undefined {
  if (reservedIds.has(id)) return `The id "${id}" is reserved. Choose another id.`;
  const named = names.get(id);
  if (named !== undefined && named !== draft)
    return `The id "${id}" is the name of another step. Choose another id.`;
  const first = ids.get(id);
  if (first === undefined) return undefined;
  const { line } = report.lines.locate(fieldOf(first.source, 'id').node.start);
  return `Duplicate id "${id}" (first used in line ${line}). Change one.`;
}
