import { isJson } from '../../base/json.ts';
import type { StepContext } from '../executor.ts';
import { scanReferences, type BracedReference, type ReferencePart } from './scan-references.ts';

/** What filling needs of an attempt. */
type Surroundings = Pick<StepContext, 'env' | 'positional' | 'expand'>;

/** A query whose values are in variables of jq. */
export interface LiftedQuery {
  readonly query: string;
  /** By variable: texts. */
  readonly texts: Readonly<Record<string, string>>;
  /** By variable: JSON texts, each the only item of the list that the variable holds. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Puts the place of a value into a query, never the value: `${NAME}` becomes a variable of jq, whatever it contains
 *. In a string it is the text; behind a dot the name of a field; elsewhere the value when the text is
 * JSON, else the text. Only a query that is nothing but a reference comes out of the variable as a whole.
 */
export async function liftQuery(context: Surroundings, text: string): Promise<LiftedQuery> {
  const parts = scanReferences(text, { comments: true, interpolation: true });
  const answers = await answerAll(context, parts);
  const whole = text.trim();
  for (const [{ written }, query] of answers) if (whole === written) return { query, texts: {}, values: {} };
  const prefix = findFreePrefix(text);
  const texts: Record<string, string> = {};
  const values: Record<string, string> = {};
  const query = parts.map((part) => {
    if (part.kind === 'text') return part.text;
    const answer = answers.get(part);
    if (answer === undefined) return part.written;
    const name = `${prefix}${Object.keys(texts).length + Object.keys(values).length + 1}`;
    const isValue = part.place === 'code' && isJson(answer);
    (isValue ? values : texts)[name] = answer;
    if (isValue) return `$${name}[0]`;
    return { string: `\\($${name})`, field: `"\\($${name})"`, code: `$${name}` }[part.place];
  });
  return { query: query.join(''), texts, values };
}

/** Puts values into JSON: in a string as a part of that string, elsewhere as they are. */
export async function fillJson(context: Surroundings, text: string): Promise<string> {
  const parts = scanReferences(text, { comments: false, interpolation: false });
  const answers = await answerAll(context, parts);
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const answer = answers.get(part);
      if (answer === undefined) return part.written;
      return part.place === 'string' ? JSON.stringify(answer).slice(1, -1) : answer;
    })
    .join('');
}

/** The values of the references that have one. */
async function answerAll(
  { env, positional, expand }: Surroundings,
  parts: readonly ReferencePart[],
): Promise<Map<BracedReference, string>> {
  const known = new Map<string, string>();
  const answers = new Map<BracedReference, string>();
  for (const part of parts) {
    if (part.kind === 'text') continue;
    const { name, written, isPlain } = part;
    const isSet = /^[0-9]/.test(name) ? Number(name) <= positional.length : Object.hasOwn(env, name);
    if (isPlain && !isSet) continue;
    const answer = known.get(written) ?? (await expand(written));
    known.set(written, answer);
    if (answer !== written || isSet) answers.set(part, answer);
  }
  return answers;
}

/** Names that begin with it are not in the text. */
function findFreePrefix(text: string): string {
  let prefix = 'value_';
  while (text.includes(`$${prefix}`)) prefix = `_${prefix}`;
  return prefix;
}
