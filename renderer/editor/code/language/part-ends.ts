/** Minimum length of a part, in characters: what one edit parses again. */
const minLength = 1024;

/** State of the lines above: where the entries of the current top-level field begin. */
export interface BlockContext {
  /** Column of its list or map; -1 if it has none or the column is unknown. */
  readonly column: number;
  /** A top-level field without a value has just started: the next line determines the column. */
  readonly isOpen: boolean;
}

export const initialBlockContext: BlockContext = { column: -1, isOpen: false };

/** Where a part of a file ends, and the state at that point. */
export interface BlockEnd extends BlockContext {
  readonly end: number;
}

const field = /[\w"'][^#\n]*?:(?:[ \t]+[&!]\S*)*[ \t]*(?:#.*)?(?=\r?\n|$)/y;
const entry = /-(?!\S)|[\w.$"'-][^\n]*?:(?!\S)/y;

const matches = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/**
 * Finds the end of a part of a YAML file that can be highlighted without the text after it: before a line that
 * begins a top-level field or an entry of its list or map, or before a line indented less than the part's first
 * line.
 * @param text the text from the start of the part, at the beginning of a line
 * @param isWhole whether the text extends to the end of the file; otherwise its last line may be incomplete
 * @returns undefined when more text is needed
 */
export function findBlockEnd(text: string, above: BlockContext, isWhole: boolean): BlockEnd | undefined {
  let known = above;
  let own = -1;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at) + 1;
    if (next === 0 && !isWhole) return undefined;
    let first = at;
    while (text[first] === ' ') first += 1;
    if (isContent(text[first])) {
      const line = { indent: first - at, isEntry: matches(entry, text, first) };
      const isBeginning = at >= minLength && beginsChunk(line, known, text[first]);
      if (isBeginning || (own >= 0 && line.indent < own)) return { ...known, end: at };
      if (own < 0) own = line.indent;
      known = advancePast(line, known, text, first);
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

const beginsChunk = ({ indent, isEntry }: Line, { column }: BlockContext, character = ''): boolean =>
  (indent === 0 && !'}]'.includes(character)) || (indent <= column && isEntry);

function advancePast(
  { indent, isEntry }: Line,
  known: BlockContext,
  text: string,
  first: number,
): BlockContext {
  if (indent === 0 && text[first] !== '-') return { column: -1, isOpen: matches(field, text, first) };
  if (known.isOpen) return { column: isEntry ? indent : -1, isOpen: false };
  return known;
}
