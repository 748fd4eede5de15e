import type { Node } from 'yaml';
import type { ChangeSet, TextChange } from '../../text-change.ts';
import type { TextRange } from '../../outline.ts';
import { anchorsOf, type Anchor } from '../../yaml/anchors/anchors.ts';
import { plainValue } from '../../yaml/values/plain-value.ts';
import type { OpenWorkflow } from '../open-workflow.ts';
import { flowText } from '../places/step-source.ts';
import { sortChanges } from '../sequence.ts';

/**
 * Makes ranges of a text self-contained: replaces an alias whose anchor is outside them by its value, and removes an
 * anchor that no alias in them uses.
 */
export function makeSelfContained(
  { document, editable }: OpenWorkflow,
  ranges: readonly TextRange[],
): ChangeSet {
  const { text } = editable;
  if (!text.includes('&')) return [];
  const isInside = (offset: number): boolean => ranges.some(({ from, to }) => from <= offset && offset < to);
  return sortChanges(
    anchorsOf(document).anchors.flatMap((anchor): TextChange[] => {
      const uses = anchor.uses.filter(({ offset }) => isInside(offset));
      if (isInside(anchor.offset)) return uses.length > 0 ? [] : removeAnchor(text, anchor);
      return uses.map(({ alias }) => {
        const [from, to] = (alias as Node).range!;
        return { from, to, insert: flowText(plainValue(document, anchor.node)) };
      });
    }),
  );
}

/** Removes an anchor and the space after it. If a tag is in between, the anchor stays. */
function removeAnchor(text: string, { name, offset }: Anchor): TextChange[] {
  const mark = `&${name}`;
  const from = text.lastIndexOf(mark, offset);
  const between = text.slice(from + mark.length, offset);
  if (from === -1 || between.trim() !== '') return [];
  const spaces = /^[ \t]*/.exec(between)![0].length;
  return [{ from, to: from + mark.length + spaces, insert: '' }];
}
