import { visibleText } from '../../../../core/base/text/visible-text.ts';

/** The group command in a line, as in GitHub Actions: `::group::Install`, `::endgroup::`. */
export type GroupMarker = { readonly kind: 'begin'; readonly title: string } | { readonly kind: 'end' };

const begin = /^(?:::group::|##\[group\])(.*)$/;
const end = /^(?:::endgroup::|##\[endgroup\])\s*$/;

/** Matches both in the engine's search; the end command is longer than the begin command. */
export const groupMarkerPattern = String.raw`^(?:::|##\[)(?:end)?group(?:::|\])`;

export function parseGroupMarker(line: string): GroupMarker | undefined {
  if (!line.includes('group')) return undefined;
  const text = visibleText(line);
  const found = begin.exec(text);
  if (found) return { kind: 'begin', title: found[1]!.trim() || 'Group' };
  return end.test(text) ? { kind: 'end' } : undefined;
}
