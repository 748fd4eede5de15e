import { visit } from 'yaml';
import { anchorsOf } from '../yaml/anchors/anchors.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { hasAnchors } from '../yaml/anchors/guard-anchors.ts';

/**
 * Explains why steps cannot be removed or reordered: an alias would lose its anchor or precede it.
 * @param before the current text
 * @param after the text after the edit
 */
export function findBrokenAlias(before: EditableText, after: EditableText): string | undefined {
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
    const table = anchorsOf(document);
    const names: string[] = [];
    visit(document, {
      Alias(_, alias) {
        if (table.targetOf(alias) === undefined) names.push(alias.source);
      },
    });
    return names;
  });
}
