import type { StepContext } from '../executor.ts';
import { scanShellText } from './scan-shell-text.ts';
import type { ShellDialect } from './shell-dialect.ts';
import { listReferences, writeParts, type ShellReference } from './shell-part.ts';

/** Shell text, and the variables that carry the values it could not have asked for. */
export interface LiftedText {
  readonly text: string;
  readonly extraEnv?: Readonly<Record<string, string>>;
}

/** What lifting needs of an attempt. */
type Surroundings = Pick<StepContext, 'env' | 'positional' | 'expand'>;

/** What to ask the expander about a reference. */
interface Question {
  readonly asked: string;
  /** The answer that says that there is nothing to put in: the text stays, and the shell reads it its own way. */
  readonly unchanged?: string;
  /** Asked as well; its answer, with `unchanged` behind it, says the same. */
  readonly base?: string;
}

/**
 * Replaces the references a POSIX shell cannot read, `${VAR.outputs.KEY}`, `${id.stdout}`, and
 * slices for a plain `sh`, by references to variables that hold their values: the value stays data, whatever it
 * contains. Only where the shell would expand something, too; docs/expansion.md has the rules.
 */
export async function liftReferences(
  context: Surroundings,
  dialect: ShellDialect | undefined,
  text: string,
): Promise<LiftedText> {
  if (dialect === undefined || !text.includes('$')) return { text };
  const parts = scanShellText(text, dialect);
  const questions = new Map<ShellReference, Question>();
  for (const reference of listReferences(parts)) {
    const question = askAbout(reference, context, dialect);
    if (question !== undefined) questions.set(reference, question);
  }
  if (questions.size === 0) return { text };
  const answers = await answerAll(context, [...questions.values()]);
  const names = new Map<string, string>();
  const extraEnv: Record<string, string> = {};
  const lifted = writeParts(parts, (reference) => {
    const question = questions.get(reference);
    const value = question && settle(question, answers);
    if (value === undefined) return reference.written;
    const { asked } = question!;
    const name = names.get(asked) ?? `ENGINE_VALUE_${names.size + 1}`;
    names.set(asked, name);
    extraEnv[name] = value;
    return reference.braced ? `\${${name}` : `\${${name}}`;
  });
  return names.size === 0 ? { text } : { text: lifted, extraEnv };
}

/** Undefined when the shell is to read the reference itself. */
function askAbout(
  reference: ShellReference,
  context: Surroundings,
  dialect: ShellDialect,
): Question | undefined {
  const { name, path, slice, hasDefault, braced, written } = reference;
  if (path === '') {
    if (dialect.slices || !isKnown(name, context)) return undefined;
    return { asked: `${written}}`, unchanged: `${written}}` };
  }
  // Shells with lists read `${FILES[0]}` themselves, and no list of theirs comes from the environment.
  if (path.startsWith('[') && !valueOf(name, context)?.trimStart().startsWith('[')) return undefined;
  if (!braced) return { asked: written, base: `\${${name}}`, unchanged: path };
  // In a shell `${A-b.c:-d}` is a default, unless a step is called so.
  if (hasDefault && !name.includes('-')) return { asked: `\${${name}${path}:-}` };
  const asked = `\${${name}${path}${slice}}`;
  return { asked, unchanged: asked };
}

const isKnown = (name: string, context: Surroundings): boolean => valueOf(name, context) !== undefined;

function valueOf(name: string, { env, positional }: Surroundings): string | undefined {
  if (/^[0-9]/.test(name)) return positional[Number(name) - 1];
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

/** The value to hand over; undefined to leave the reference as written. */
function settle(
  { asked, base, unchanged }: Question,
  answers: ReadonlyMap<string, string>,
): string | undefined {
  const value = answers.get(asked)!;
  if (unchanged === undefined) return value;
  const same = base === undefined ? unchanged : answers.get(base)! + unchanged;
  return value === same ? undefined : value;
}

/**
 * Asks for all in one text, so that a large JSON value is parsed once, with a character between them that no
 * variable can hold; should a JSON text hold it, one after the other.
 */
async function answerAll(
  context: Surroundings,
  questions: readonly Question[],
): Promise<Map<string, string>> {
  const asked = [
    ...new Set(questions.flatMap(({ asked: text, base }) => (base === undefined ? [text] : [text, base]))),
  ];
  const together = (await context.expand(asked.join('\0'))).split('\0');
  const answers = new Map<string, string>();
  for (const [index, text] of asked.entries())
    answers.set(text, together.length === asked.length ? together[index]! : await context.expand(text));
  return answers;
}
