import { visibleText } from '../../../../core/base/text/visible-text.ts';

/** What a line says of groups, as GitHub Actions and others write it: `::group::Install`, `::endgroup::`. */
export type GroupMark = { readonly kind: 'begin'; readonly title: string } | { readonly kind: 'end' };

const begin = /^(?:::group::|##\[group\])(.*)$/;
const end = /^(?:::endgroup::|##\[endgroup\])\s*$/;

/** Looks for either, for the search of the engine; what ends a group is longer than what begins one. */
export const anyGroupMark = String.raw`^(?:::|##\[)(?:end)?group(?:::|\])`;

export function readGroupMark(line: string): GroupMark | undefined {
  if (!line.includes('group')) return undefined;
  const text = visibleText(line);
  const found = begin.exec(text);
  if (found) return { kind: 'begin', title: found[1]!.trim() || 'Group' };
  return end.test(text) ? { kind: 'end' } : undefined;
}
