import { findRegions, type ChangedRegion, type LineRange } from './find-regions.ts';
import { commonEnding, contentOf, joinLines, splitLines, withEnding } from './text-lines.ts';

/** Who has changed a stretch: nobody, one side, both in the same way, or both in different ways. */
export type HunkKind = 'same' | 'mine' | 'theirs' | 'both' | 'conflict';

/** A stretch of three texts. Lines have their endings; the last one of a text may have none. */
export interface MergeHunk {
  readonly kind: HunkKind;
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  /** What the merge makes of it; of a conflict mine. */
  readonly lines: readonly string[];
}

/** Three texts put side by side. */
export interface TextMerge {
  /** In the order of the texts; all of them together are each of the three. */
  readonly hunks: readonly MergeHunk[];
  /** The text with the changes of both sides; absent when there is a conflict. */
  readonly merged?: string;
}

/** What becomes of a hunk instead of what the merge has made of it. */
export type HunkChoice = 'base' | 'mine' | 'theirs' | 'mine-then-theirs' | 'theirs-then-mine';

/**
 * Merges two changes of one text, line by line. Line endings do not count as a difference of lines: a side that has
 * changed those of the whole file has changed no line, and its endings are taken over.
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
  const addSame = (until: Record<keyof typeof texts, number>): void => {
    const stretch = {
      base: take('base', { start: at.base, end: until.base }),
      mine: take('mine', { start: at.mine, end: until.mine }),
      theirs: take('theirs', { start: at.theirs, end: until.theirs }),
    };
    if (stretch.base.length > 0) hunks.push({ kind: 'same', ...stretch, lines: endings.mergeSame(stretch) });
  };
  for (const region of regions) {
    addSame({ base: region.base.start, mine: region.mine.start, theirs: region.theirs.start });
    const stretch = {
      base: take('base', region.base),
      mine: take('mine', region.mine),
      theirs: take('theirs', region.theirs),
    };
    const kind = judge(region, stretch);
    const taken = kind === 'theirs' ? 'theirs' : 'mine';
    hunks.push({ kind, ...stretch, lines: endings.adapt(taken, stretch[taken]) });
  }
  addSame({ base: texts.base.length, mine: texts.mine.length, theirs: texts.theirs.length });
  if (hunks.some(({ kind }) => kind === 'conflict')) return { hunks };
  return { hunks, merged: composeMerge(hunks) };
}

/**
 * The text that the hunks come to.
 * @param choices by the place of the hunk; where there is none, what the merge has made of it
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

type Stretch = Pick<MergeHunk, 'base' | 'mine' | 'theirs'>;

function judge({ changedBy }: ChangedRegion, { mine, theirs }: Stretch): HunkKind {
  if (changedBy !== 'both') return changedBy;
  const isSame = mine.length === theirs.length && mine.every((line, index) => isAlike(line, theirs[index]!));
  return isSame ? 'both' : 'conflict';
}

const isAlike = (line: string, other: string): boolean => contentOf(line) === contentOf(other);

/** Which line endings the merged text has. */
class MergedEndings {
  readonly #usual: { readonly mine: string; readonly theirs: string };
  readonly #wanted: string;

  constructor({ base, mine, theirs }: Stretch) {
    this.#usual = { mine: commonEnding(mine), theirs: commonEnding(theirs) };
    this.#wanted = this.#usual.mine === commonEnding(base) ? this.#usual.theirs : this.#usual.mine;
  }

  /** Lines that differ in their endings at most: each has the ending of the side that has changed it. */
  mergeSame({ base, mine, theirs }: Stretch): string[] {
    return base.map((line, index) => (mine[index] === line ? theirs[index]! : mine[index]!));
  }

  /** The usual ending of a side gives way to that of the merged text. */
  adapt(side: 'mine' | 'theirs', lines: readonly string[]): readonly string[] {
    const usual = this.#usual[side];
    if (usual === this.#wanted) return lines;
    return lines.map((line) => (withEnding(line, usual) === line ? withEnding(line, this.#wanted) : line));
  }
}
