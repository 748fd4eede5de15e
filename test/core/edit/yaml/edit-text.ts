import { type EditResult, applyChanges } from '../../../../core/edit/text-change.ts';
import type { AuthoredPath, NodePath } from '../../../../core/edit/outline.ts';
import { readEditable, type EditableText } from '../../../../core/edit/yaml/editable-text.ts';

/** The text after an edit; a rejected edit throws its reason. */
export function edited(text: string, edit: (editable: EditableText) => EditResult): string {
  const result = edit(readEditable(text));
  if (!result.ok) throw new Error(result.reason);
  return applyChanges(text, result.changes);
}

/** Why an edit is rejected. */
export function refusal(text: string, edit: (editable: EditableText) => EditResult): string {
  const result = edit(readEditable(text));
  return result.ok ? 'It was made.' : result.reason;
}

/** A position in the first document. */
export function at(...path: AuthoredPath): NodePath {
  return { document: 0, path };
}

/** Lines that are not in both texts, with `-` and `+`. */
export function changedLines(before: string, after: string): string[] {
  const [old, next] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < old.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, next.length) - head && old.at(-1 - tail) === next.at(-1 - tail))
    tail += 1;
  return [
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...next.slice(head, next.length - tail).map((line) => `+${line}`),
  ];
}
