import type { StepContext } from '../executor.ts';
import {
  scanShellText,
  listReferences,
  writeParts,
  type ShellReference,
} from '../../spec/shell/scan-shell-text.ts';
import type { ShellDialect } from './shell.ts';

/** Shell text, and the variables for the values that the shell cannot expand itself. */
export interface ParameterizedText {
  readonly text: string;
  readonly extraEnv?: Readonly<Record<string, string>>;
}

/** Dependencies of lifting. */
type BindContext = Pick<StepContext, 'env' | 'positional' | 'expand'>;

/** Request to the expander for a reference. */
interface ReferenceQuery {
  readonly asked: string;
  /** The expansion if there is no value; the text is then left to the shell. */
  readonly unchanged?: string;
  /** Also expanded; if its value followed by `unchanged` is the answer, there is no value either. */
  readonly base?: string;
}

/**
 * Replaces references that a POSIX shell cannot read (`${VAR.outputs.KEY}`, `${id.stdout}`, and slices in a plain
 * `sh`) by references to variables that contain the values, so that a value is never parsed as shell code. Only
 * replaces where the shell would expand; see docs/expansion.md for the rules.
 */
export async function bindVariables(
  context: BindContext,
  dialect: ShellDialect | undefined,
  text: string,
): Promise<ParameterizedText> {
  if (dialect === undefined || !text.includes('$')) return { text };
  const parts = scanShellText(text, dialect);
  const queries = new Map<ShellReference, ReferenceQuery>();
  for (const reference of listReferences(parts)) {
    const query = queryFor(reference, context, dialect);
    if (query !== undefined) queries.set(reference, query);
  }
  if (queries.size === 0) return { text };
  const answers = await answerAll(context, [...queries.values()]);
  const names = new Map<string, string>();
  const extraEnv: Record<string, string> = {};
  const lifted = writeParts(parts, (reference) => {
    const query = queries.get(reference);
    const value = query && settle(query, answers);
    if (value === undefined) return reference.written;
    const { asked } = query!;
    const name = names.get(asked) ?? `ENGINE_VALUE_${names.size + 1}`;
    names.set(asked, name);
    extraEnv[name] = value;
    return reference.braced ? `\${${name}` : `\${${name}}`;
  });
  return names.size === 0 ? { text } : { text: lifted, extraEnv };
}

/** Returns undefined if the shell expands the reference itself. */
function queryFor(
  reference: ShellReference,
  context: BindContext,
  dialect: ShellDialect,
): ReferenceQuery | undefined {
  const { name, path, slice, hasDefault, braced, written } = reference;
  if (path === '') {
    if (dialect.slices || !isKnown(name, context)) return undefined;
    return { asked: `${written}}`, unchanged: `${written}}` };
  }
  // Shells with arrays expand `${FILES[0]}` themselves, and their arrays never come from the environment.
  if (path.startsWith('[') && !getValue(name, context)?.trimStart().startsWith('[')) return undefined;
  if (!braced) return { asked: written, base: `\${${name}}`, unchanged: path };
  // In a shell, `${A-b.c:-d}` is a default value, unless a step has this name.
  if (hasDefault && !name.includes('-')) return { asked: `\${${name}${path}:-}` };
  const asked = `\${${name}${path}${slice}}`;
  return { asked, unchanged: asked };
}

const isKnown = (name: string, context: BindContext): boolean => getValue(name, context) !== undefined;

function getValue(name: string, { env, positional }: BindContext): string | undefined {
  if (/^[0-9]/.test(name)) return positional[Number(name) - 1];
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

/** Returns the value to pass in a variable, or undefined to leave the reference as written. */
function settle(
  { asked, base, unchanged }: ReferenceQuery,
  answers: ReadonlyMap<string, string>,
): string | undefined {
  const value = answers.get(asked)!;
  if (unchanged === undefined) return value;
  const same = base === undefined ? unchanged : answers.get(base)! + unchanged;
  return value === same ? undefined : value;
}

/**
 * Expands all references in one string, so that a large JSON value is parsed only once. The separator is a character
 * that no variable can contain; if a JSON value contains it, the references are expanded one by one.
 */
async function answerAll(
  context: BindContext,
  queries: readonly ReferenceQuery[],
): Promise<Map<string, string>> {
  const asked = [
    ...new Set(queries.flatMap(({ asked: text, base }) => (base === undefined ? [text] : [text, base]))),
  ];
  const together = (await context.expand(asked.join('\0'))).split('\0');
  const answers = new Map<string, string>();
  for (const [index, text] of asked.entries())
    answers.set(text, together.length === asked.length ? together[index]! : await context.expand(text));
  return answers;
}
