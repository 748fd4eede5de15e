/** Whether a text may contain a reference or a command substitution. */
export const hasReference = (text: string): boolean => /[$`]/.test(text);

/**
 * Returns the position of the closing `}` for the position of each `${`, found in one pass. An unclosed brace has no
 * entry.
 */
function matchBraces(text: string): ReadonlyMap<number, number> {
  const closingBraces = new Map<number, number>();
  const open: number[] = [];
  let backslashes = 0;
  for (let position = 0; position < text.length; position += 1) {
    const character = text[position];
    if (character === '$' && text[position + 1] === '{' && backslashes % 2 === 0) open.push(position);
    else if (character === '}' && open.length > 0) closingBraces.set(open.pop()!, position);
    backslashes = character === '\\' ? backslashes + 1 : 0;
  }
  return closingBraces;
}

/** Name of a variable, or number of a positional parameter. */
const namePattern = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+/y;

/**
 * In braces, also the id of a step, which may contain `-`; only a property after it distinguishes it from an operator.
 */
export const bracedNamePattern = /[A-Za-z][A-Za-z0-9_-]*(?=\.)|[A-Za-z_][A-Za-z0-9_]*|[0-9]+/y;

/** Keys and indexes after a name in braces. */
export const pathPattern = /(?:\.?\[-?[0-9]+\]|\.[^.[\]{}$:`'"\\\s]+)+/y;

/** Keys and indexes after a name without braces. */
export const barePathPattern = /(?:\.?\[-?[0-9]+\]|\.[A-Za-z0-9_-]+)+/y;

/** Offset and length, with the colons. */
const slicePattern = /:\s*(-?[0-9]+)(?::\s*(-?[0-9]+))?/y;

/** Matches a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

/** Maximum nesting of default values; deeper ones are left as written. */
const maxDepth = 50;

const pathElementPattern = /\.?\[(-?[0-9]+)\]|\.([^.[]+)/g;
/** Shell operators that are not supported here. */
const foreignOperators = new Set(['#', '%', '/', '^', ',', '@', '?', ':?']);
/** A quote after one of these characters is an apostrophe or a closing quote, not an opening one. */
const beforeApostrophe = /[\p{L}\p{N}_}\])\\]/u;

/** A segment and the position after it. */
interface ParsedSegment {
  readonly segment: Segment;
  readonly end: number;
}

/** Parses a template. Anything that cannot be parsed is literal text; there are no errors. */
export function parseTemplate(text: string): Segment[] {
  return new TemplateParser(text).parse(0, text.length, 0);
}

/** Parses in one pass from left to right; `matchBraces` has looked ahead, so that nothing is read twice. */
class TemplateParser {
  readonly #text: string;
  readonly #closingBraces: ReadonlyMap<number, number>;

  constructor(text: string) {
    this.#text = text;
    this.#closingBraces = matchBraces(text);
  }

  parse(start: number, end: number, depth: number): Segment[] {
    const segments: Segment[] = [];
    let literal = '';
    let position = start;
    while (position < end) {
      const found = this.#readAt(position, end, depth);
      position = found.end;
      if (found.segment.kind === 'literal') {
        literal += found.segment.text;
        continue;
      }
      if (literal !== '') segments.push({ kind: 'literal', text: literal });
      literal = '';
      segments.push(found.segment);
    }
    if (literal !== '') segments.push({ kind: 'literal', text: literal });
    return segments;
  }

  #readAt(position: number, end: number, depth: number): ParsedSegment {
    switch (this.#text[position]) {
      case '\\':
        return this.#readBackslashes(position, end);
      case "'":
        return this.#readQuotation(position, end);
      case '`':
        return this.#readCommand(position, end);
      case '$':
        return this.#text[position + 1] === '{'
          ? this.#readBraced(position, end, depth)
          : this.#readBare(position, end);
      default:
        return this.#readPlain(position, end);
    }
  }

  #literal(start: number, end: number): ParsedSegment {
    return { segment: { kind: 'literal', text: this.#text.slice(start, end) }, end };
  }

  #readPlain(position: number, end: number): ParsedSegment {
    let next = position + 1;
    while (next < end && !"\\'`$".includes(this.#text[next]!)) next += 1;
    return this.#literal(position, next);
  }

  /** Before `$`, each pair of backslashes is one backslash, and a single one escapes the `$`. */
  #readBackslashes(position: number, end: number): ParsedSegment {
    let next = position;
    while (next < end && this.#text[next] === '\\') next += 1;
    const count = next - position;
    if (next === end) return this.#literal(position, next);
    if (this.#text[next] === '`' && count % 2 === 1) return this.#literal(position, next + 1);
    if (this.#text[next] !== '$') return this.#literal(position, next);
    const backslashes = '\\'.repeat(Math.floor(count / 2));
    if (count % 2 === 0) return { segment: { kind: 'literal', text: backslashes }, end: next };
    return { segment: { kind: 'literal', text: `${backslashes}$` }, end: next + 1 };
  }

  #readQuotation(position: number, end: number): ParsedSegment {
    const before = this.#text[position - 1];
    const closing = this.#text.indexOf("'", position + 1);
    const isQuotation =
      closing !== -1 && closing < end && (before === undefined || !beforeApostrophe.test(before));
    return this.#literal(position, isQuotation ? closing + 1 : position + 1);
  }

  #readCommand(position: number, end: number): ParsedSegment {
    let closing = position + 1;
    while (closing < end && this.#text[closing] !== '`') closing += this.#text[closing] === '\\' ? 2 : 1;
    if (closing >= end) return this.#literal(position, position + 1);
    if (closing === position + 1) return this.#literal(position, closing + 1);
    // Like a shell, unescapes backticks inside backticks.
    const command = this.#text.slice(position + 1, closing).replaceAll('\\`', '`');
    return {
      segment: { kind: 'command', command, source: this.#text.slice(position, closing + 1) },
      end: closing + 1,
    };
  }

  #readBare(position: number, end: number): ParsedSegment {
    const name = matchAt(namePattern, this.#text, position + 1);
    if (name === undefined || position + 1 + name.length > end) return this.#literal(position, position + 1);
    const path = matchAt(barePathPattern, this.#text, position + 1 + name.length) ?? '';
    const next = Math.min(position + 1 + name.length + path.length, end);
    return { segment: makeReference(this.#text.slice(position, next), name, path, false), end: next };
  }

  #readBraced(position: number, end: number, depth: number): ParsedSegment {
    const closing = this.#closingBraces.get(position);
    if (closing === undefined || closing >= end || depth >= maxDepth)
      return this.#literal(position, position + 2);
    const segment = this.#parseBraced(position, closing, depth);
    return segment === undefined ? this.#literal(position, closing + 1) : { segment, end: closing + 1 };
  }

  /** Parses the content of `${…}`; returns undefined if it is not a reference. */
  #parseBraced(position: number, closing: number, depth: number): Segment | undefined {
    const name = matchAt(bracedNamePattern, this.#text, position + 2);
    if (name === undefined) return undefined;
    const source = this.#text.slice(position, closing + 1);
    const afterName = position + 2 + name.length;
    const path = matchAt(pathPattern, this.#text, afterName) ?? '';
    const reference = makeReference(source, name, path, true);
    const rest = afterName + path.length;
    if (rest === closing) return reference;
    const modifier = this.#parseModifier(rest, closing, depth);
    if (modifier !== undefined) return { ...reference, modifier };
    const isForeign = [1, 2].some((length) => foreignOperators.has(this.#text.slice(rest, rest + length)));
    return isForeign ? { kind: 'unsupported', source } : undefined;
  }

  #parseModifier(position: number, closing: number, depth: number): Modifier | undefined {
    switch (this.#text.slice(position, position + 2)) {
      case ':-':
      case ':=':
        return { kind: 'default', segments: this.parse(position + 2, closing, depth + 1) };
      case ':+':
        return { kind: 'alternative', segments: this.parse(position + 2, closing, depth + 1) };
      default: {
        slicePattern.lastIndex = position;
        const match = slicePattern.exec(this.#text);
        if (match === null || slicePattern.lastIndex !== closing) return undefined;
        const length = match[2] === undefined ? undefined : Number(match[2]);
        return { kind: 'slice', offset: Number(match[1]), length };
      }
    }
  }
}

function makeReference(source: string, name: string, path: string, braced: boolean): Reference {
  const elements = Array.from(path.matchAll(pathElementPattern), ([element, index, key]): PathElement => ({
    key: key ?? Number(index),
    source: element,
  }));
  return { kind: 'reference', name, path: elements, braced, source };
}

/** A part of a template, as written in a workflow (docs/expansion.md). */
export type Segment =
  /** Literal text, without its escapes. */
  | { readonly kind: 'literal'; readonly text: string }
  /** `$NAME` or `${NAME…}`; with a path also `$NAME.path` or `${NAME.path…}`. */
  | Reference
  /** A command in backticks, as the shell receives it. */
  | { readonly kind: 'command'; readonly command: string; readonly source: string }
  /** A shell operator that is not supported; left as written, with a warning. */
  | { readonly kind: 'unsupported'; readonly source: string };

/** A reference to a variable, a value in a JSON variable, or a property of a step. */
export interface Reference {
  readonly kind: 'reference';
  /** Name of the variable or id of the step. */
  readonly name: string;
  /** Keys and indexes in order; empty for the variable itself. */
  readonly path: readonly PathElement[];
  /** Without braces, the part of a path that does not exist is literal text after the variable. */
  readonly braced: boolean;
  readonly modifier?: Modifier;
  /** The reference as written. */
  readonly source: string;
}

/** One step of a path into a JSON value. */
export interface PathElement {
  /** A number is an array index, from the end if negative. */
  readonly key: string | number;
  /** The element as written, with its dot or brackets. */
  readonly source: string;
}

/** Text after the name in braces. */
type Modifier =
  /** `:-`, `:=`: the segments if there is no value or an empty one. */
  | { readonly kind: 'default'; readonly segments: readonly Segment[] }
  /** `:+`: the segments if there is a value. */
  | { readonly kind: 'alternative'; readonly segments: readonly Segment[] }
  /**
   * `:offset:length`, in code points. A negative offset counts from the end; a negative length is an end position from
   * the end.
   */
  | { readonly kind: 'slice'; readonly offset: number; readonly length?: number };

/**
 * Parses a JSON path such as `$.pull_request.labels[0]['name']`: keys after a dot or quoted in brackets, and indexes
 * in brackets, from the end if negative. `$` alone is the whole value.
 * @returns undefined if the path is invalid
 */
export function readPayloadPath(text: string): (string | number)[] | undefined {
  if (!text.startsWith('$')) return undefined;
  const path: (string | number)[] = [];
  let at = 1;
  while (at < text.length) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (match === null) return undefined;
    const [whole, key, single, double, index] = match;
    path.push(index === undefined ? (key ?? single ?? double)! : Number(index));
    at += whole.length;
  }
  return path;
}

const part = /\.([^.[\]'"\s]+)|\['([^']*)'\]|\["([^"]*)"\]|\[(-?\d{1,9})\]/y;
