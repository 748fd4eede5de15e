import { diffIndices } from 'node-diff3';

/** Which side has changed a region: none, one, both in the same way, or both in different ways. */
export type HunkKind = 'same' | 'mine' | 'theirs' | 'both' | 'conflict';

/** A region of three texts. Lines include their line endings; the last line of a text may have none. */
export interface MergeHunk {
  readonly kind: HunkKind;
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  /** The merged lines; for a conflict, the lines of `mine`. */
  readonly lines: readonly string[];
}

/** Result of a three-way merge. */
export interface TextMerge {
  /** In order; concatenated, they contain each of the three texts. */
  readonly hunks: readonly MergeHunk[];
  /** The merged text; absent if there is a conflict. */
  readonly merged?: string;
}

/** Replacement for the merge result of a hunk. */
export type HunkChoice = 'base' | 'mine' | 'theirs' | 'mine-then-theirs' | 'theirs-then-mine';

/**
 * Merges two changes of one text line by line. Line endings are ignored when lines are compared: a side that has only
 * changed the line endings of the whole file has changed no line, and its line endings are used.
 */
export function mergeTexts(base: string, mine: string, theirs: string): TextMerge {
  const texts = { base: splitLines(base), mine: splitLines(mine), theirs: splitLines(theirs) };
  const contents = (lines: readonly string[]): string[] => lines.map(getContent);
  const regions = findRegions(contents(texts.base), contents(texts.mine), contents(texts.theirs));
  const endings = new MergedEndings(texts);
  const hunks: MergeHunk[] = [];
  const at = { base: 0, mine: 0, theirs: 0 };
  const take = (side: keyof typeof texts, { start, end }: LineRange): string[] => {
    at[side] = end;
    return texts[side].slice(start, end);
  };
  const addUnchanged = (until: Record<keyof typeof texts, number>): void => {
    const hunkTexts = {
      base: take('base', { start: at.base, end: until.base }),
      mine: take('mine', { start: at.mine, end: until.mine }),
      theirs: take('theirs', { start: at.theirs, end: until.theirs }),
    };
    if (hunkTexts.base.length > 0)
      hunks.push({ kind: 'same', ...hunkTexts, lines: endings.mergeSame(hunkTexts) });
  };
  for (const region of regions) {
    addUnchanged({ base: region.base.start, mine: region.mine.start, theirs: region.theirs.start });
    const hunkTexts = {
      base: take('base', region.base),
      mine: take('mine', region.mine),
      theirs: take('theirs', region.theirs),
    };
    const kind = getKind(region, hunkTexts);
    const taken = kind === 'theirs' ? 'theirs' : 'mine';
    hunks.push({ kind, ...hunkTexts, lines: endings.adapt(taken, hunkTexts[taken]) });
  }
  addUnchanged({ base: texts.base.length, mine: texts.mine.length, theirs: texts.theirs.length });
  if (hunks.some(({ kind }) => kind === 'conflict')) return { hunks };
  return { hunks, merged: composeMerge(hunks) };
}

/**
 * Returns the merged text.
 * @param choices by the index of the hunk; the merge result is used if there is none
 */
export function composeMerge(
  hunks: readonly MergeHunk[],
  choices: ReadonlyMap<number, HunkChoice> = new Map(),
): string {
  const lines = hunks.flatMap((hunk, index) => getLines(hunk, choices.get(index)));
  return joinLines(lines, commonEnding(lines));
}

function getLines(hunk: MergeHunk, choice: HunkChoice | undefined): readonly string[] {
  switch (choice) {
    case undefined:
      return hunk.lines;
    case 'mine-then-theirs':
      return [...hunk.mine, ...hunk.theirs];
    case 'theirs-then-mine':
      return [...hunk.theirs, ...hunk.mine];
    default:
      return hunk[choice];
  }
}

type HunkTexts = Pick<MergeHunk, 'base' | 'mine' | 'theirs'>;

function getKind({ changedBy }: ChangedRegion, { mine, theirs }: HunkTexts): HunkKind {
  if (changedBy !== 'both') return changedBy;
  const isSame =
    mine.length === theirs.length && mine.every((line, index) => equalIgnoringEnding(line, theirs[index]!));
  return isSame ? 'both' : 'conflict';
}

const equalIgnoringEnding = (line: string, other: string): boolean => getContent(line) === getContent(other);

/** Determines the line endings of the merged text. */
class MergedEndings {
  readonly #defaultEndings: { readonly mine: string; readonly theirs: string };
  readonly #preferredEnding: string;

  constructor({ base, mine, theirs }: HunkTexts) {
    this.#defaultEndings = { mine: commonEnding(mine), theirs: commonEnding(theirs) };
    this.#preferredEnding =
      this.#defaultEndings.mine === commonEnding(base)
        ? this.#defaultEndings.theirs
        : this.#defaultEndings.mine;
  }

  /**
   * Merges lines that differ at most in their line endings: each line uses the ending of the side that has changed it.
   */
  mergeSame({ base, mine, theirs }: HunkTexts): string[] {
    return base.map((line, index) => (mine[index] === line ? theirs[index]! : mine[index]!));
  }

  /** Replaces a side's usual line ending by that of the merged text. */
  adapt(side: 'mine' | 'theirs', lines: readonly string[]): readonly string[] {
    const defaultEndings = this.#defaultEndings[side];
    if (defaultEndings === this.#preferredEnding) return lines;
    return lines.map((line) =>
      withLineEnding(line, defaultEndings) === line ? withLineEnding(line, this.#preferredEnding) : line,
    );
  }
}

/** Lines `start` to `end` of a text, excluding `end`. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A region of three texts that at least one side has changed. Outside the regions, all three texts are equal. */
interface ChangedRegion {
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
function findRegions(
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
    const getRange = (side: Side): LineRange => ({
      start: first.start + before[side],
      end: end + shift[side],
    });
    regions.push({
      base: { start: first.start + offset, end: end + offset },
      mine: getRange('mine'),
      theirs: getRange('theirs'),
      changedBy: sides.size === 2 ? 'both' : first.side,
    });
  }
  return regions;
}

/** Splits a text into lines including their line endings; the last line may have none. */
const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Returns a line without its line ending. */
const getContent = (line: string): string => line.replace(/\r?\n$/, '');

/** Returns the most common line ending; `\n` if there is none. */
function commonEnding(lines: readonly string[]): '\n' | '\r\n' {
  const ended = lines.filter((line) => line.endsWith('\n'));
  const windows = ended.filter((line) => line.endsWith('\r\n'));
  return windows.length * 2 > ended.length ? '\r\n' : '\n';
}

/** Replaces the line ending of a line, if it has one. */
const withLineEnding = (line: string, ending: string): string =>
  line.endsWith('\n') ? getContent(line) + ending : line;

/** Joins lines; adds the line ending to lines in between that have none. */
function joinLines(lines: readonly string[], ending: string): string {
  const last = lines.length - 1;
  return lines.map((line, index) => (index < last && !line.endsWith('\n') ? line + ending : line)).join('');
}
