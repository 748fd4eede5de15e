/** How far a part goes at least, in characters: what a key has read anew. */
const leastLength = 1024;

/** What is known of the lines above a place: where the entries of the present field of the file begin. */
export interface Surroundings {
  /** Column of its list or map; -1 when it has none, or nothing is known of it. */
  readonly column: number;
  /** A field without a value has just begun: the next line tells the column. */
  readonly isOpen: boolean;
}

export const atBeginning: Surroundings = { column: -1, isOpen: false };

/** Where a part of a file ends, and what is known there. */
export interface PartEnd extends Surroundings {
  readonly end: number;
}

const field = /[\w"'][^#\n]*?:(?:[ \t]+[&!]\S*)*[ \t]*(?:#.*)?(?=\r?\n|$)/y;
const entry = /-(?!\S)|[\w.$"'-][^\n]*?:(?!\S)/y;

const matches = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/**
 * Where a part of a YAML file ends that may be coloured without what follows: before a line that begins a field of the
 * file, or an entry of its list or map, or before one that is indented less than the part's own first line.
 * @param text from the beginning of the part on, which is that of a line
 * @param isWhole whether the text goes to the end of the file; else its last line may be cut off
 * @returns undefined where more text is needed
 */
export function findPartEnd(text: string, above: Surroundings, isWhole: boolean): PartEnd | undefined {
  let known = above;
  let own = -1;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at) + 1;
    if (next === 0 && !isWhole) return undefined;
    let first = at;
    while (text[first] === ' ') first += 1;
    if (isContent(text[first])) {
      const line = { indent: first - at, isEntry: matches(entry, text, first) };
      const isBeginning = at >= leastLength && beginsPart(line, known, text[first]);
      if (isBeginning || (own >= 0 && line.indent < own)) return { ...known, end: at };
      if (own < 0) own = line.indent;
      known = goPast(line, known, text, first);
    }
    at = next === 0 ? text.length : next;
  }
  return isWhole ? { ...known, end: text.length } : undefined;
}

interface Line {
  readonly indent: number;
  readonly isEntry: boolean;
}

const isContent = (character: string | undefined): boolean => !'\r\n#'.includes(character ?? '\n');

const beginsPart = ({ indent, isEntry }: Line, { column }: Surroundings, character = ''): boolean =>
  (indent === 0 && !'}]'.includes(character)) || (indent <= column && isEntry);

function goPast({ indent, isEntry }: Line, known: Surroundings, text: string, first: number): Surroundings {
  if (indent === 0 && text[first] !== '-') return { column: -1, isOpen: matches(field, text, first) };
  if (known.isOpen) return { column: isEntry ? indent : -1, isOpen: false };
  return known;
}
