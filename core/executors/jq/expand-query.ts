import { isJson } from '../../base/json.ts';
import { bracedNamePattern, matchAt, pathPattern } from '../../spec/parse-template.ts';
import type { StepContext } from '../executor.ts';

/** Dependencies of expansion. */
type ExpansionContext = Pick<StepContext, 'env' | 'positional' | 'expand'>;

/** A query whose values are passed in jq variables. */
export interface BoundQuery {
  readonly query: string;
  /** String values by variable. */
  readonly texts: Readonly<Record<string, string>>;
  /** JSON values by variable. Each is the only item of the list in the variable. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Replaces each `${NAME}` in a query by a jq variable, so that a value is never parsed as code. Inside a string it is
 * the string value, after a dot it is a field name, elsewhere it is the JSON value if the string is valid JSON, else
 * the string. Only a query that consists of a single reference is replaced by its value.
 */
export async function bindQueryVariables(context: ExpansionContext, text: string): Promise<BoundQuery> {
  const parts = scanReferences(text, { comments: true, interpolation: true });
  const expansions = await expandAll(context, parts);
  const whole = text.trim();
  for (const [{ written }, query] of expansions)
    if (whole === written) return { query, texts: {}, values: {} };
  const prefix = findUnusedPrefix(text);
  const texts: Record<string, string> = {};
  const values: Record<string, string> = {};
  const query = parts.map((part) => {
    if (part.kind === 'text') return part.text;
    const expansion = expansions.get(part);
    if (expansion === undefined) return part.written;
    const name = `${prefix}${Object.keys(texts).length + Object.keys(values).length + 1}`;
    const isValue = part.context === 'code' && isJson(expansion);
    (isValue ? values : texts)[name] = expansion;
    if (isValue) return `$${name}[0]`;
    return { string: `\\($${name})`, field: `"\\($${name})"`, code: `$${name}` }[part.context];
  });
  return { query: query.join(''), texts, values };
}

/** Expands references in JSON: inside a string as a part of the string, elsewhere as JSON. */
export async function expandJson(context: ExpansionContext, text: string): Promise<string> {
  const parts = scanReferences(text, { comments: false, interpolation: false });
  const expansions = await expandAll(context, parts);
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const expansion = expansions.get(part);
      if (expansion === undefined) return part.written;
      return part.context === 'string' ? JSON.stringify(expansion).slice(1, -1) : expansion;
    })
    .join('');
}

/** Returns the values of the references that have one. */
async function expandAll(
  { env, positional, expand }: ExpansionContext,
  parts: readonly ReferencePart[],
): Promise<Map<BracedReference, string>> {
  const known = new Map<string, string>();
  const expansions = new Map<BracedReference, string>();
  for (const part of parts) {
    if (part.kind === 'text') continue;
    const { name, written, isPlain } = part;
    const isSet = /^[0-9]/.test(name) ? Number(name) <= positional.length : Object.hasOwn(env, name);
    if (isPlain && !isSet) continue;
    const expansion = known.get(written) ?? (await expand(written));
    known.set(written, expansion);
    if (expansion !== written || isSet) expansions.set(part, expansion);
  }
  return expansions;
}

/** Returns a prefix for variable names that does not occur in the text. */
function findUnusedPrefix(text: string): string {
  let prefix = 'value_';
  while (text.includes(`$${prefix}`)) prefix = `_${prefix}`;
  return prefix;
}

/** A part of a text in a language with double-quoted strings. */
type ReferencePart = { readonly kind: 'text'; readonly text: string } | BracedReference;

/** A `${…}` reference of Stepwright. */
interface BracedReference {
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
function scanReferences(text: string, language: ScannedLanguage): ReferencePart[] {
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
