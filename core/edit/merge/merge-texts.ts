import { findRegions, type ChangedRegion, type LineRange } from './find-regions.ts';
import { commonEnding, contentOf, joinLines, splitLines, withLineEnding } from './text-lines.ts';

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
  const contents = (lines: readonly string[]): string[] => lines.map(contentOf);
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
    const kind = kindOf(region, hunkTexts);
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
  const lines = hunks.flatMap((hunk, index) => linesOf(hunk, choices.get(index)));
  return joinLines(lines, commonEnding(lines));
}

function linesOf(hunk: MergeHunk, choice: HunkChoice | undefined): readonly string[] {
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

function kindOf({ changedBy }: ChangedRegion, { mine, theirs }: HunkTexts): HunkKind {
  if (changedBy !== 'both') return changedBy;
  const isSame =
    mine.length === theirs.length && mine.every((line, index) => equalIgnoringEnding(line, theirs[index]!));
  return isSame ? 'both' : 'conflict';
}

const equalIgnoringEnding = (line: string, other: string): boolean => contentOf(line) === contentOf(other);

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
