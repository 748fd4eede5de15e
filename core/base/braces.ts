/** The strings that braces expand to. */
export type Alternatives = readonly string[];

/** How many strings braces expand to, and their total number of characters. */
interface Size {
  readonly count: number;
  readonly length: number;
}

/** A sequence of parts, or a choice between them. */
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'all'; readonly nodes: readonly Node[] }
  | { readonly kind: 'one'; readonly nodes: readonly Node[] }
  | { readonly kind: 'range'; readonly range: Range };

interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** Digits that numbers are padded to; undefined for letters. */
  readonly width: number | undefined;
}

/**
 * Expands braces like shells: `{a,b}` is a choice, `{1..5}` and `{a..e}` are ranges, with a step in `{1..9..2}`. Braces
 * without a comma or a range are literal, as is anything after a backslash.
 * @returns the size of the expansion when it exceeds the limit; nothing is expanded then
 */
export function expandBraces(text: string, max: Size): Alternatives | Size {
  const node = parseSequence(text, 0, text.length, pairBraces(text));
  const size = measure(node);
  return size.count > max.count || size.length > max.length ? size : [...new Set(build(node))];
}

/** Positions of closed braces, with the position of their end and of the commas directly inside. */
type BracePairs = ReadonlyMap<number, { readonly end: number; readonly commas: readonly number[] }>;

function pairBraces(text: string): BracePairs {
  const pairs = new Map<number, { end: number; commas: number[] }>();
  const open: { at: number; commas: number[] }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '{') open.push({ at, commas: [] });
    else if (character === ',') open.at(-1)?.commas.push(at);
    else if (character === '}') {
      const last = open.pop();
      if (last !== undefined) pairs.set(last.at, { end: at, commas: last.commas });
    }
  }
  return pairs;
}

function parseSequence(text: string, from: number, to: number, pairs: BracePairs): Node {
  const nodes: Node[] = [];
  let literal = from;
  const flush = (end: number): void => {
    if (end > literal) nodes.push({ kind: 'text', text: text.slice(literal, end) });
  };
  for (let at = from; at < to; at += 1) {
    if (text[at] === '\\') at += 1;
    const pair = text[at] === '{' ? pairs.get(at) : undefined;
    if (pair === undefined || pair.end >= to) continue;
    const range = pair.commas.length === 0 ? readRange(text.slice(at + 1, pair.end)) : undefined;
    if (pair.commas.length === 0 && range === undefined) continue;
    flush(at);
    nodes.push(range === undefined ? parseNode(text, at, pair, pairs) : { kind: 'range', range });
    at = pair.end;
    literal = at + 1;
  }
  flush(to);
  return { kind: 'all', nodes };
}

function parseNode(
  text: string,
  at: number,
  { end, commas }: { end: number; commas: readonly number[] },
  pairs: BracePairs,
): Node {
  const starts = [at, ...commas].map((before) => before + 1);
  const ends = [...commas, end];
  return {
    kind: 'one',
    nodes: starts.map((start, index) => parseSequence(text, start, ends[index]!, pairs)),
  };
}

const rangePattern = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?$/;

function readRange(text: string): Range | undefined {
  const [, first, last, firstLetter, lastLetter, step = '1'] = rangePattern.exec(text) ?? [];
  const by = Math.max(1, Math.abs(Number(step)));
  if (firstLetter !== undefined && lastLetter !== undefined)
    return { from: firstLetter.charCodeAt(0), to: lastLetter.charCodeAt(0), step: by, width: undefined };
  if (first === undefined || last === undefined) return undefined;
  const isPadded = [first, last].some((number) => /^-?0\d/.test(number));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  return { from: Number(first), to: Number(last), step: by, width };
}

const getCount = ({ from, to, step }: Range): number => Math.floor(Math.abs(to - from) / step) + 1;

function measure(node: Node): Size {
  switch (node.kind) {
    case 'text':
      return { count: 1, length: node.text.length };
    case 'range': {
      const count = getCount(node.range);
      return { count, length: count * 10 };
    }
    case 'one':
      return node.nodes.map(measure).reduce((sum, { count, length }) => ({
        count: sum.count + count,
        length: sum.length + length,
      }));
    case 'all':
      return node.nodes.map(measure).reduce(
        (all, { count, length }) => ({
          count: all.count * count,
          length: all.length * count + length * all.count,
        }),
        { count: 1, length: 0 },
      );
  }
}

function build(node: Node): string[] {
  switch (node.kind) {
    case 'text':
      return [node.text];
    case 'range':
      return buildRange(node.range);
    case 'one':
      return node.nodes.flatMap(build);
    case 'all':
      return node.nodes
        .map(build)
        .reduce((starts, ends) => starts.flatMap((start) => ends.map((end) => start + end)), ['']);
  }
}

function buildRange(range: Range): string[] {
  const { from, to, step, width } = range;
  const direction = from <= to ? step : -step;
  return Array.from({ length: getCount(range) }, (_, index) => {
    const value = from + index * direction;
    if (width === undefined) return String.fromCharCode(value);
    const digits = String(Math.abs(value));
    return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
  });
}
