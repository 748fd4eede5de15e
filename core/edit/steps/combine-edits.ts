import { visit } from 'yaml';
import {
  type Edit,
  type EditResult,
  type NodeRef,
  type EditRejection,
  applyChanges,
  type ChangeSet,
} from '../text-change.ts';
import { combine } from '../yaml/text-edits.ts';
import { readEditable, type EditableText } from '../yaml/editable-text.ts';
import { getAnchors } from '../yaml/walk.ts';
import { hasAnchors } from '../yaml/guard-anchors.ts';
import { openWorkflow, type OpenWorkflow } from './open-workflow.ts';

type Step = (workflow: OpenWorkflow) => EditResult;

/**
 * Combines successive edits, each on the text that the previous one produces, into one. Returns the first error.
 * @param index document index; default: the main workflow
 */
export function composeEdits(
  editable: EditableText,
  index: number | undefined,
  steps: readonly Step[],
): EditResult {
  let current = editable;
  const edits: ChangeSet[] = [];
  let select: readonly NodeRef[] | undefined;
  for (const step of steps) {
    const workflow = openWorkflow(current, index);
    if ('reason' in workflow) return workflow;
    const result = step(workflow);
    if (!result.ok) return result;
    select = result.select ?? select;
    if (result.changes.length === 0) continue;
    edits.push(result.changes);
    current = readEditable(applyChanges(current.text, result.changes), current);
  }
  const broken = edits.length > 0 ? findBrokenAlias(editable, current) : undefined;
  if (broken !== undefined) return { ok: false, reason: broken };
  const changes = edits.length === 1 ? edits[0]! : combine(editable.text, ...edits);
  return { ok: true, changes, ...(select === undefined ? {} : { select }) };
}

/** Combines edits of one text at separate positions. */
export function mergeEdits(...results: readonly EditResult[]): EditResult {
  const refused = results.find((result): result is EditRejection => !result.ok);
  if (refused !== undefined) return refused;
  const edits = results as readonly Edit[];
  return { ok: true, changes: sortChanges(edits.flatMap((edit) => edit.changes)) };
}

/** Sorts changes by position; insertions come before deletions. */
export const sortChanges = (changes: ChangeSet): ChangeSet =>
  changes.toSorted((a, b) => a.from - b.from || a.to - b.to);

/** An edit without changes. */
export const noEdit: Edit = { ok: true, changes: [] };

/**
 * Explains why steps cannot be removed or reordered: an alias would lose its anchor or precede it.
 * @param before the current text
 * @param after the text after the edit
 */
function findBrokenAlias(before: EditableText, after: EditableText): string | undefined {
  if (!hasAnchors(before)) return undefined;
  const known = new Set(listUnresolvedAliases(before));
  const broken = listUnresolvedAliases(after).find((name) => !known.has(name));
  return broken === undefined
    ? undefined
    : `The anchor &${broken} must be before the aliases that use it. Replace those aliases with their values in the source first.`;
}

/** Lists the names of aliases without an anchor before them. */
function listUnresolvedAliases({ documents }: EditableText): string[] {
  return documents.flatMap((document) => {
    const table = getAnchors(document);
    const names: string[] = [];
    visit(document, {
      Alias(_, alias) {
        if (table.getTarget(alias) === undefined) names.push(alias.source);
      },
    });
    return names;
  });
}
