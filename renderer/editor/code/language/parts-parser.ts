import { Parser, Tree, type Input, type NodeType, type PartialParse, type TreeFragment } from '@lezer/common';
import { atBeginning, findPartEnd, type PartEnd, type Surroundings } from './part-ends.ts';

/** How much is looked at for the end of a part; more only where it has none there. */
const firstLook = 4096;
/** A part that has not changed is kept while so much behind it has not either: its end depends on the line there. */
const seenBehind = 128;

/** What was known above a part and below it, by its tree. */
const knownParts = new WeakMap<Tree, { readonly above: Surroundings; readonly below: PartEnd }>();

/**
 * Reads a YAML file in parts that are about a step each, of which an edit has only its own read again. The parser of a
 * part, which knows what of a changed text it may keep, finds nothing to keep in YAML: of 2,000 steps it read all for
 * every key.
 */
export class PartsParser extends Parser {
  readonly #inner: Parser;
  readonly #top: NodeType;

  /** @param inner reads a part @param top what the tree of a file is, and that of a part */
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
    return new PartsParse({ inner: this.#inner, top: this.#top, input, fragments, ...whole });
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

class PartsParse implements PartialParse {
  readonly #sources: Sources;
  readonly #parts: Tree[] = [];
  readonly #positions: number[] = [];
  #above: Surroundings = atBeginning;
  #reading: { readonly parse: PartialParse; readonly below: PartEnd } | undefined;
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
      const kept = this.#findKept();
      if (kept !== undefined) this.#add(kept, knownParts.get(kept)!.below);
      else this.#begin();
      return null;
    }
    const { parse, below } = this.#reading;
    const tree = parse.advance();
    if (tree !== null) {
      this.#reading = undefined;
      knownParts.set(tree, { above: this.#above, below });
      this.#add(tree, below);
    }
    return null;
  }

  #add(part: Tree, below: PartEnd): void {
    this.#parts.push(part);
    this.#positions.push(this.parsedPos - this.#sources.from);
    this.#above = { column: below.column, isOpen: below.isOpen };
    this.parsedPos += below.end;
  }

  /** Begins to read the next part. */
  #begin(): void {
    const { inner, input, to } = this.#sources;
    const at = this.parsedPos;
    for (let length = firstLook; ; length *= 2) {
      const end = Math.min(to, at + length);
      const text = input.read(at, end);
      const below = findPartEnd(text, this.#above, end === to);
      if (below === undefined) continue;
      this.#reading = { parse: inner.startParse(text.slice(0, below.end)), below };
      return;
    }
  }

  /** The part of an earlier state that stands here, with nothing else above it and nothing changed up to what is behind it. */
  #findKept(): Tree | undefined {
    const { fragments, to } = this.#sources;
    const at = this.parsedPos;
    const fragment = fragments.find((one) => one.from <= at && at < one.to);
    if (fragment === undefined) return undefined;
    const { tree, offset } = fragment;
    const part = tree.children[findPlace(tree.positions, at + offset)];
    const known = part instanceof Tree ? knownParts.get(part) : undefined;
    if (known === undefined || !isSame(known.above, this.#above)) return undefined;
    const end = at + known.below.end;
    const isEnd = end === to && !fragment.openEnd;
    return isEnd || end + seenBehind <= fragment.to ? (part as Tree) : undefined;
  }
}

const isSame = (left: Surroundings, right: Surroundings): boolean =>
  left.column === right.column && left.isOpen === right.isOpen;

/** The place of a number in an ascending list; -1 when it is not there. */
function findPlace(list: readonly number[], wanted: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return list[low] === wanted ? low : -1;
}
