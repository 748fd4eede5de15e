import type { Document, Node } from 'yaml';
import type { AuthoredPath, TextRange } from '../../outline.ts';
import { anchorsOf, type Anchor, type AliasUse } from './anchors.ts';
import type { EditableText } from '../editable-text.ts';
import { endOfEntry, rootOf, type Entry } from '../entries/entries.ts';
import { findEntries } from '../walk.ts';

/**
 * Why a change within lists and maps cannot be made: one of them bears an anchor, so that others would change with it.
 * A map that takes it over by `<<` and has the key itself does not.
 * @param entries the way to what changes
 * @param path from the top of the document; its last part is the key or item that changes
 * @param isItem whether items of a list change places, so that an own key helps nobody
 */
export function findSharedContainer(
  editable: EditableText,
  document: Document.Parsed,
  entries: readonly Entry[],
  path: AuthoredPath,
): string | undefined {
  if (!hasAnchors(editable)) return undefined;
  const table = anchorsOf(document);
  const containers: readonly (Node | null)[] = [rootOf(document), ...entries.map(({ value }) => value)];
  for (const [depth, container] of containers.slice(0, path.length).entries()) {
    const anchor = table.anchorOf(container);
    const affected = anchor?.uses.filter(({ mergedInto }) => {
      return mergedInto === undefined || findEntries(mergedInto, String(path[depth])).length === 0;
    });
    if (anchor !== undefined && affected!.length > 0) return describeShared(editable, anchor, affected!);
  }
  return undefined;
}

/** Why a stretch of text cannot be taken out: it holds an anchor that is used outside of it. */
export function findSharedValue(
  editable: EditableText,
  document: Document.Parsed,
  ranges: readonly TextRange[],
): string | undefined {
  if (!hasAnchors(editable)) return undefined;
  const isInside = (offset: number): boolean => ranges.some(({ from, to }) => offset >= from && offset <= to);
  for (const anchor of anchorsOf(document).anchors) {
    if (!isInside(anchor.offset)) continue;
    const outside = anchor.uses.filter(({ offset }) => !isInside(offset));
    if (outside.length > 0) return describeShared(editable, anchor, outside);
  }
  return undefined;
}

/**
 * Why items cannot stand in another order: an alias would come before its anchor, or after another of that name.
 * @param before the items in the order of the text
 * @param after the same in the order in which they are to stand
 */
export function findBrokenOrder(
  editable: EditableText,
  document: Document.Parsed,
  before: readonly Entry[],
  after: readonly Entry[],
): string | undefined {
  if (!hasAnchors(editable)) return undefined;
  const places = new Map(after.map((item, place) => [item, place]));
  const end = endOfEntry(editable.text, before.at(-1)!);
  const rank = (offset: number): number => {
    const item = offset > end ? undefined : before.findLast(({ from }) => offset >= from);
    return item === undefined ? -1 : places.get(item)!;
  };
  const isBefore = (a: number, b: number): boolean => {
    const [rankA, rankB] = [rank(a), rank(b)];
    return rankA < 0 || rankB < 0 || rankA === rankB ? a < b : rankA < rankB;
  };
  const { anchors } = anchorsOf(document);
  for (const anchor of anchors) {
    for (const { offset } of anchor.uses) {
      const others = anchors.filter(({ name, offset: at }) => name === anchor.name && isBefore(at, offset));
      const newest = others.reduce<Anchor | undefined>(
        (best, each) => (best === undefined || isBefore(best.offset, each.offset) ? each : best),
        undefined,
      );
      if (newest !== anchor) return describeOrder(editable, anchor, offset);
    }
  }
  return undefined;
}

function describeOrder({ lines }: EditableText, anchor: Anchor, use: number): string {
  const [from, at] = [lines.locate(anchor.offset).line, lines.locate(use).line];
  return `The alias in line ${at} must be after its anchor &${anchor.name} in line ${from}. Replace *${anchor.name} with its value first, or edit the source.`;
}

/** Whether a text may have anchors that are used: what looks like them in a command counts, `&&` and times do not. */
export function hasAnchors({ text }: EditableText): boolean {
  return /(?:^|[\s[{,])&[^\s&,[\]{}]/.test(text) && /(?:^|[\s[{,])\*[^\s*,[\]{}/]/.test(text);
}

function describeShared({ lines }: EditableText, anchor: Anchor, uses: readonly AliasUse[]): string {
  const places = [...new Set(uses.map(({ offset }) => lines.locate(offset).line))];
  const { line } = lines.locate(anchor.offset);
  return `The value in line ${line} has the anchor &${anchor.name}, which is also used in ${listLines(places)}. Replace *${anchor.name} there with its value first, or edit the source.`;
}

/** `line 3`, `lines 3 and 9`, `lines 3, 5 and 9`. */
function listLines(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  return `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`;
}
