import { bracedNamePattern, matchAt, pathPattern } from '../../spec/expand/reference-syntax.ts';

/** A part of a text in a language with double-quoted strings. */
export type ReferencePart = { readonly kind: 'text'; readonly text: string } | BracedReference;

/** A `${…}` reference of Stepwright. */
export interface BracedReference {
  readonly kind: 'reference';
  readonly written: string;
  readonly name: string;
  /** Only a variable name. Left as it is if the variable does not exist. */
  readonly isPlain: boolean;
  /** In a string of the language, after a dot as a field name, or elsewhere. */
  readonly context: 'string' | 'field' | 'code';
}

/** Features of a language in addition to strings. */
export interface ScannedLanguage {
  /** From `#` to the end of the line. */
  readonly comments: boolean;
  /** `\(…)` in a string contains code. */
  readonly interpolation: boolean;
}

const restPattern = /:[^{}"\\\n]*/y;
const defaultPattern = /^:[-=+]/;
const inStringPattern = /[^"\\$]+/y;
const commentPattern = /#.*/y;
const plainPattern = /[^"#()\\$]+/y;

/** Finds the references in a text and their positions. Never throws: unclosed constructs extend to the end. */
export function scanReferences(text: string, language: ScannedLanguage): ReferencePart[] {
  if (!text.includes('${')) return [{ kind: 'text', text }];
  const parts: ReferencePart[] = [];
  /** Stack of open strings and of code inside them with its open parentheses. */
  const levels: ('string' | { open: number })[] = [{ open: 0 }];
  let position = 0;
  let copiedTo = 0;
  const keepUntil = (end: number): void => {
    if (end > copiedTo) parts.push({ kind: 'text', text: text.slice(copiedTo, end) });
  };
  while (position < text.length) {
    const level = levels.at(-1)!;
    const reference = readReference(text, position, level === 'string');
    if (reference === undefined) {
      position += step(text, position, levels, language);
      continue;
    }
    keepUntil(position);
    parts.push(reference);
    position += reference.written.length;
    copiedTo = position;
  }
  keepUntil(text.length);
  return parts;
}

/** Returns undefined if there is no reference at this position. */
function readReference(text: string, position: number, inString: boolean): BracedReference | undefined {
  if (!text.startsWith('${', position)) return undefined;
  const name = matchAt(bracedNamePattern, text, position + 2);
  if (name === undefined) return undefined;
  const path = matchAt(pathPattern, text, position + 2 + name.length) ?? '';
  const rest = matchAt(restPattern, text, position + 2 + name.length + path.length) ?? '';
  const end = position + 2 + name.length + path.length + rest.length;
  if (text[end] !== '}') return undefined;
  const outside = text[position - 1] === '.' ? 'field' : 'code';
  return {
    kind: 'reference',
    written: text.slice(position, end + 1),
    name,
    isPlain: path === '' && !defaultPattern.test(rest),
    context: inString ? 'string' : outside,
  };
}

/**
 * Skips the construct at this position.
 * @returns its length
 */
function step(
  text: string,
  position: number,
  levels: ('string' | { open: number })[],
  { comments, interpolation }: ScannedLanguage,
): number {
  const level = levels.at(-1)!;
  const character = text[position]!;
  if (character === '"') {
    if (level === 'string') levels.pop();
    else levels.push('string');
    return 1;
  }
  if (level === 'string') {
    if (character !== '\\') return matchAt(inStringPattern, text, position)?.length ?? 1;
    if (interpolation && text[position + 1] === '(') levels.push({ open: 1 });
    return 2;
  }
  if (comments && character === '#') return matchAt(commentPattern, text, position)!.length;
  if (character === '(') level.open += 1;
  if (character === ')' && level.open > 0) {
    level.open -= 1;
    if (level.open === 0 && levels.length > 1) levels.pop();
  }
  return matchAt(plainPattern, text, position)?.length ?? 1;
}
