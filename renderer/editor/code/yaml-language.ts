import { Parser, Tree, type Input, type NodeType, type PartialParse, type TreeFragment } from '@lezer/common';
import { yamlLanguage } from '@codemirror/lang-yaml';
import { foldService, Language, LanguageSupport } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

/** Minimum length of a part, in characters: what one edit parses again. */
const minLength = 1024;

/** State of the lines above: where the entries of the current top-level field begin. */
interface BlockContext {
  /** Column of its list or map; -1 if it has none or the column is unknown. */
  readonly column: number;
  /** A top-level field without a value has just started: the next line determines the column. */
  readonly isOpen: boolean;
}

const initialBlockContext: BlockContext = { column: -1, isOpen: false };

/** Where a part of a file ends, and the state at that point. */
interface BlockEnd extends BlockContext {
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
function findBlockEnd(text: string, above: BlockContext, isWhole: boolean): BlockEnd | undefined {
  let known = above;
  let firstIndent = -1;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at) + 1;
    if (next === 0 && !isWhole) return undefined;
    let first = at;
    while (text[first] === ' ') first += 1;
    if (isContent(text[first])) {
      const line = { indent: first - at, isEntry: matches(entry, text, first) };
      const isBeginning = at >= minLength && beginsChunk(line, known, text[first]);
      if (isBeginning || (firstIndent >= 0 && line.indent < firstIndent)) return { ...known, end: at };
      if (firstIndent < 0) firstIndent = line.indent;
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

/** How many characters are searched for the end of a part first; more only if there is no end in them. */
const initialParseLength = 4096;
/**
 * A part is reused only if this many characters after it are unchanged too, because its end depends on the line
 * there.
 */
const seenBehind = 128;

/** State above and below a part, by its tree. */
const chunksByTree = new WeakMap<Tree, { readonly above: BlockContext; readonly below: BlockEnd }>();

/**
 * Parses a YAML file in parts of about one step each, so that an edit parses only its own part again. The
 * incremental YAML parser reuses nothing on its own: with 2,000 steps, each key press parsed the whole file.
 */
export class ChunkedParser extends Parser {
  readonly #inner: Parser;
  readonly #top: NodeType;

  /** @param inner parses one part @param top node types of the trees of a file and of a part */
  constructor(inner: Parser, top: NodeType) {
    super();
    this.#inner = inner;
    this.#top = top;
  }

  createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: readonly { readonly from: number; readonly to: number }[],
  ): PartialParse {
    const whole = { from: ranges[0]!.from, to: ranges.at(-1)!.to };
    return new ChunkedParse({ inner: this.#inner, top: this.#top, input, fragments, ...whole });
  }
}

interface Sources {
  readonly inner: Parser;
  readonly top: NodeType;
  readonly input: Input;
  readonly fragments: readonly TreeFragment[];
  readonly from: number;
  readonly to: number;
}

class ChunkedParse implements PartialParse {
  readonly #sources: Sources;
  readonly #parts: Tree[] = [];
  readonly #positions: number[] = [];
  #above: BlockContext = initialBlockContext;
  #reading: { readonly parse: PartialParse; readonly below: BlockEnd } | undefined;
  parsedPos: number;
  stoppedAt: number | null = null;

  constructor(sources: Sources) {
    this.#sources = sources;
    this.parsedPos = sources.from;
  }

  stopAt(position: number): void {
    this.stoppedAt = position;
  }

  advance(): Tree | null {
    const { top, from, to } = this.#sources;
    if (this.parsedPos >= (this.stoppedAt ?? to))
      return new Tree(top, this.#parts, this.#positions, this.parsedPos - from);
    if (this.#reading === undefined) {
      const reused = this.#findReusable();
      if (reused !== undefined) this.#add(reused, chunksByTree.get(reused)!.below);
      else this.#begin();
      return null;
    }
    const { parse, below } = this.#reading;
    const tree = parse.advance();
    if (tree !== null) {
      this.#reading = undefined;
      chunksByTree.set(tree, { above: this.#above, below });
      this.#add(tree, below);
    }
    return null;
  }

  #add(part: Tree, below: BlockEnd): void {
    this.#parts.push(part);
    this.#positions.push(this.parsedPos - this.#sources.from);
    this.#above = { column: below.column, isOpen: below.isOpen };
    this.parsedPos += below.end;
  }

  /** Begins to parse the next part. */
  #begin(): void {
    const { inner, input, to } = this.#sources;
    const at = this.parsedPos;
    for (let length = initialParseLength; ; length *= 2) {
      const end = Math.min(to, at + length);
      const text = input.read(at, end);
      const below = findBlockEnd(text, this.#above, end === to);
      if (below === undefined) continue;
      this.#reading = { parse: inner.startParse(text.slice(0, below.end)), below };
      return;
    }
  }

  /**
   * Returns the previous part at this position if the state above it is the same and nothing up to the lines
   * after it has changed.
   */
  #findReusable(): Tree | undefined {
    const { fragments, to } = this.#sources;
    const at = this.parsedPos;
    const fragment = fragments.find((one) => one.from <= at && at < one.to);
    if (fragment === undefined) return undefined;
    const { tree, offset } = fragment;
    const part = tree.children[lowerBoundIndex(tree.positions, at + offset)];
    const known = part instanceof Tree ? chunksByTree.get(part) : undefined;
    if (known === undefined || !isSame(known.above, this.#above)) return undefined;
    const end = at + known.below.end;
    const isEnd = end === to && !fragment.openEnd;
    return isEnd || end + seenBehind <= fragment.to ? (part as Tree) : undefined;
  }
}

const isSame = (a: BlockContext, b: BlockContext): boolean => a.column === b.column && a.isOpen === b.isOpen;

/** Returns the index of a number in an ascending list; -1 if it is missing. */
function lowerBoundIndex(list: readonly number[], target: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < target) low = middle + 1;
    else high = middle;
  }
  return list[low] === target ? low : -1;
}

const { parser } = yamlLanguage;

const chunkedLanguage = new Language(
  yamlLanguage.data,
  new ChunkedParser(parser, parser.topNode),
  [],
  'yaml',
);

const partHead = /^[\w"'].*:\s*(?:[&!]\S*(?:\s+|$))*(?:#.*)?$/;
const within = /^(?:[ #]|-(?:\s|$)|\s*$)/;

/** A comment in the first column may belong to what follows. */
const contentLine = /^[^#].*\S|^-/;

/** Returns the range of a top-level field, which may span several parts, up to its last non-blank line. */
function foldField({ doc }: EditorState, from: number, to: number): { from: number; to: number } | null {
  const head = doc.lineAt(from);
  if (!partHead.test(head.text) || head.number === doc.lines) return null;
  let end = head.to;
  let at = head.to + 1;
  for (const line of doc.iterLines(head.number + 1)) {
    if (!within.test(line)) break;
    at += line.length + 1;
    if (contentLine.test(line)) end = at - 1;
  }
  return end > to ? { from: to, to: end } : null;
}

/** YAML language support of the code pane: like CodeMirror's, but fast in files of any length. */
export const chunkedYaml = (): LanguageSupport =>
  new LanguageSupport(chunkedLanguage, foldService.of(foldField));
