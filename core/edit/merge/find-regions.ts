import { diffIndices } from 'node-diff3';

/** Lines `start` to `end` of a text, excluding `end`. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A region of three texts that at least one side has changed. Outside the regions, all three texts are equal. */
export interface ChangedRegion {
  readonly base: LineRange;
  readonly mine: LineRange;
  readonly theirs: LineRange;
  readonly changedBy: 'mine' | 'theirs' | 'both';
}

type Side = 'mine' | 'theirs';

/** A change of one side: lines of the base, and the number of lines added on that side. */
interface SideChange extends LineRange {
  readonly side: Side;
  readonly growth: number;
}

/**
 * Finds the regions where three texts differ, in order. Adjacent changes of both sides form one region, as in `diff3`.
 * Common lines at the start and end are skipped, so that a small change in a long text is cheap.
 */
export function findRegions(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): ChangedRegion[] {
  const { before, after } = countCommonLines(base, mine, theirs);
  const middle = (lines: readonly string[]): string[] => lines.slice(before, lines.length - after);
  const original = middle(base);
  const changes = [
    ...listChanges('mine', original, middle(mine)),
    ...listChanges('theirs', original, middle(theirs)),
  ].toSorted((a, b) => a.start - b.start);
  return groupChanges(changes, before);
}

/** Returns the number of common lines of all three texts at the start, and at the end of the rest. */
function countCommonLines(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): { before: number; after: number } {
  const shortest = Math.min(base.length, mine.length, theirs.length);
  let before = 0;
  while (before < shortest && base[before] === mine[before] && base[before] === theirs[before]) before += 1;
  let after = 0;
  const isCommon = (back: number): boolean =>
    base.at(-back) === mine.at(-back) && base.at(-back) === theirs.at(-back);
  while (after < shortest - before && isCommon(after + 1)) after += 1;
  return { before, after };
}

const listChanges = (side: Side, base: string[], changed: string[]): SideChange[] =>
  diffIndices(base, changed).map(({ buffer1: [start, length], buffer2: [, newLength] }) => ({
    side,
    start,
    end: start + length,
    growth: newLength - length,
  }));

/** @param offset index of the first compared line */
function groupChanges(changes: readonly SideChange[], offset: number): ChangedRegion[] {
  const regions: ChangedRegion[] = [];
  const shift = { mine: offset, theirs: offset };
  for (let index = 0; index < changes.length;) {
    const first = changes[index]!;
    let { end } = first;
    const before = { ...shift };
    const sides = new Set<Side>();
    for (; index < changes.length && changes[index]!.start <= end; index += 1) {
      const change = changes[index]!;
      end = Math.max(end, change.end);
      sides.add(change.side);
      shift[change.side] += change.growth;
    }
    const rangeOf = (side: Side): LineRange => ({
      start: first.start + before[side],
      end: end + shift[side],
    });
    regions.push({
      base: { start: first.start + offset, end: end + offset },
      mine: rangeOf('mine'),
      theirs: rangeOf('theirs'),
      changedBy: sides.size === 2 ? 'both' : first.side,
    });
  }
  return regions;
}
