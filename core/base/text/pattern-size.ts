/** One element of a pattern in RE2 syntax. Every alternative ends at the next special character, so this is linear. */
const element =
  /\\Q(?<literal>.*?)(?:\\E|$)|\[\^?\]?(?:\\.|\[:\^?[a-z]*:\]|[^\]\\])*\]?|\\(?:[pPx]\{[^{}]*\}|[pP].|.)?|\{(?<least>\d{1,9})(?<comma>,(?<most>\d{0,9}))?\}|./gsu;

/** Compiling `\pL` costs as much as this many characters. */
const unicodeClassSize = 20;
/**
 * Compiling a range up to a non-ASCII character, whose other cases have to be found, costs as much as this many
 * characters.
 */
const wideRangeSize = 200;

/**
 * Estimates the size of a pattern when its counted repetitions are written out: an upper bound of the instructions that
 * it compiles to, without compiling it.
 */
export function estimatePatternSize(source: string): number {
  const outer: number[] = [];
  /** Size of the innermost open group, and of its last element, which a count may repeat. */
  let size = 0;
  let last = 0;
  let classes = 0;
  for (const { 0: text, groups = {} } of source.matchAll(element)) {
    if (text === '(') {
      outer.push(size);
      [size, last] = [0, 0];
    } else if (text === ')') {
      last = size + 3;
      size = (outer.pop() ?? 0) + last;
    } else if (groups['least'] !== undefined) {
      const min = Number(groups['least']);
      const max = groups['comma'] === undefined ? min : Number(groups['most'] || min + 1);
      const more = last * (Math.max(min, max, 1) - 1) + Math.max(0, max - min);
      size += more;
      last += more;
    } else {
      // A repetition of a literal repeats only its last character.
      last = 1;
      size += groups['literal']?.length ?? (/^[*+?|]$/.test(text) ? 2 : 1);
      classes += sizeOfClasses(text);
    }
  }
  return outer.reduce((sum, each) => sum + each, size) + classes + 3;
}

function sizeOfClasses(text: string): number {
  const unicode = text.match(/\\[pP]/g)?.length ?? 0;
  const wide = text.startsWith('[') ? (text.match(/-(?:\\|[^\0-\x7f])/g)?.length ?? 0) : 0;
  return unicode * unicodeClassSize + wide * wideRangeSize;
}
