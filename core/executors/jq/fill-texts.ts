import { isJson } from '../../base/json.ts';
import type { StepContext } from '../executor.ts';
import { scanReferences, type BracedReference, type ReferencePart } from './scan-references.ts';

/** Dependencies of expansion. */
type FillContext = Pick<StepContext, 'env' | 'positional' | 'expand'>;

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
export async function bindQueryVariables(context: FillContext, text: string): Promise<BoundQuery> {
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
export async function fillJson(context: FillContext, text: string): Promise<string> {
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
  { env, positional, expand }: FillContext,
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
