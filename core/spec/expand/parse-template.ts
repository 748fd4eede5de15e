import { matchBraces } from './match-braces.ts';
import {
  barePathPattern,
  bracedNamePattern,
  matchAt,
  namePattern,
  pathPattern,
  slicePattern,
} from './reference-syntax.ts';
import type { Modifier, PathElement, Reference, Segment } from './segment.ts';

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
