import { Parser, Tree, type Input, type NodeType, type PartialParse, type TreeFragment } from '@lezer/common';
import { initialBlockContext, findBlockEnd, type BlockEnd, type BlockContext } from './part-ends.ts';

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

const isSame = (left: BlockContext, right: BlockContext): boolean =>
  left.column === right.column && left.isOpen === right.isOpen;

/** Returns the index of a number in an ascending list; -1 if it is missing. */
function lowerBoundIndex(list: readonly number[], wanted: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return list[low] === wanted ? low : -1;
}
