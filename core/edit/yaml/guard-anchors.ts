import type { Document, Node } from 'yaml';
import type { AuthoredPath, TextRange } from '../outline.ts';
import { getAnchors, type Anchor, type AliasUse, findEntries } from './walk.ts';
import type { EditableText } from './editable-text.ts';
import { getEntryEnd, getRoot, type Entry } from './entries.ts';

/**
 * Returns why a value inside lists and maps cannot be changed: one of them has an anchor, so its aliases would change,
 * too. A map that merges it with `<<` and overrides the key is not affected.
 * @param entries the path to the value
 * @param path from the root of the document; its last element is the key or index that changes
 */
export function findSharedContainer(
  editable: EditableText,
  document: Document.Parsed,
  entries: readonly Entry[],
  path: AuthoredPath,
): string | undefined {
  if (!hasAnchors(editable)) return undefined;
  const table = getAnchors(document);
  const containers: readonly (Node | null)[] = [getRoot(document), ...entries.map(({ value }) => value)];
  for (const [depth, container] of containers.slice(0, path.length).entries()) {
    const anchor = table.getAnchor(container);
    const affected = anchor?.uses.filter(({ mergedInto }) => {
      return mergedInto === undefined || findEntries(mergedInto, String(path[depth])).length === 0;
    });
    if (anchor !== undefined && affected!.length > 0) return explainShared(editable, anchor, affected!);
  }
  return undefined;
}

/** Returns why a range of text cannot be removed: it contains an anchor that is used elsewhere. */
export function findSharedValue(
  editable: EditableText,
  document: Document.Parsed,
  ranges: readonly TextRange[],
): string | undefined {
  if (!hasAnchors(editable)) return undefined;
  const isInside = (offset: number): boolean => ranges.some(({ from, to }) => offset >= from && offset <= to);
  for (const anchor of getAnchors(document).anchors) {
    if (!isInside(anchor.offset)) continue;
    const outside = anchor.uses.filter(({ offset }) => !isInside(offset));
    if (outside.length > 0) return explainShared(editable, anchor, outside);
  }
  return undefined;
}

/**
 * Returns why items cannot be reordered: an alias would precede its anchor, or follow another anchor of the same name.
 * @param before the items in the current order
 * @param after the items in the new order
 */
export function findBrokenOrder(
  editable: EditableText,
  document: Document.Parsed,
  before: readonly Entry[],
  after: readonly Entry[],
): string | undefined {
  if (!hasAnchors(editable)) return undefined;
  const places = new Map(after.map((item, position) => [item, position]));
  const end = getEntryEnd(editable.text, before.at(-1)!);
  const rank = (offset: number): number => {
    const item = offset > end ? undefined : before.findLast(({ from }) => offset >= from);
    return item === undefined ? -1 : places.get(item)!;
  };
  const isBefore = (a: number, b: number): boolean => {
    const [rankA, rankB] = [rank(a), rank(b)];
    return rankA < 0 || rankB < 0 || rankA === rankB ? a < b : rankA < rankB;
  };
  const { anchors } = getAnchors(document);
  for (const anchor of anchors) {
    for (const { offset } of anchor.uses) {
      const others = anchors.filter(({ name, offset: at }) => name === anchor.name && isBefore(at, offset));
      const newest = others.reduce<Anchor | undefined>(
        (best, each) => (best === undefined || isBefore(best.offset, each.offset) ? each : best),
        undefined,
      );
      if (newest !== anchor) return explainOrder(editable, anchor, offset);
    }
  }
  return undefined;
}

function explainOrder({ lines }: EditableText, anchor: Anchor, use: number): string {
  const [from, at] = [lines.locate(anchor.offset).line, lines.locate(use).line];
  return `The alias in line ${at} must be after its anchor &${anchor.name} in line ${from}. Replace *${anchor.name} with its value first, or edit the source.`;
}

/** Whether a text may contain anchors that are used. May return true for similar text, such as `&&` in a command. */
export function hasAnchors({ text }: EditableText): boolean {
  return /(?:^|[\s[{,])&[^\s&,[\]{}]/.test(text) && /(?:^|[\s[{,])\*[^\s*,[\]{}/]/.test(text);
}

function explainShared({ lines }: EditableText, anchor: Anchor, uses: readonly AliasUse[]): string {
  const places = [...new Set(uses.map(({ offset }) => lines.locate(offset).line))];
  const { line } = lines.locate(anchor.offset);
  return `The value in line ${line} has the anchor &${anchor.name}, which is also used in ${listLines(places)}. Replace *${anchor.name} there with its value first, or edit the source.`;
}

/** Formats `line 3`, `lines 3 and 9`, `lines 3, 5 and 9`. */
function listLines(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  return `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`;
}
