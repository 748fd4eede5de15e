import type { Node } from 'yaml';
import type { ChangeSet, TextChange } from '../../text-change.ts';
import type { TextRange } from '../../outline.ts';
import { anchorsOf, type Anchor } from '../../yaml/anchors/anchors.ts';
import { plainValue } from '../../yaml/values/plain-value.ts';
import type { OpenWorkflow } from '../open-workflow.ts';
import { flowText } from '../places/step-source.ts';
import { inOrder } from '../sequence.ts';

/**
 * Makes stretches of a text stand without the rest: an alias whose anchor is not in them gives way to its value, and an
 * anchor that no alias in them needs goes.
 */
export function makeSelfContained(
  { document, editable }: OpenWorkflow,
  ranges: readonly TextRange[],
): ChangeSet {
  const { text } = editable;
  if (!text.includes('&')) return [];
  const isInside = (offset: number): boolean => ranges.some(({ from, to }) => from <= offset && offset < to);
  return inOrder(
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

/** With the space behind it; where a tag stands between, the anchor stays. */
function removeAnchor(text: string, { name, offset }: Anchor): TextChange[] {
  const mark = `&${name}`;
  const from = text.lastIndexOf(mark, offset);
  const between = text.slice(from + mark.length, offset);
  if (from === -1 || between.trim() !== '') return [];
  const spaces = /^[ \t]*/.exec(between)![0].length;
  return [{ from, to: from + mark.length + spaces, insert: '' }];
}
