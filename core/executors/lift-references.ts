import type { StepContext } from './executor.ts';
import { isPosixShell, readProgramName, type Shell } from './shell.ts';

/** Shell text, and the variables that carry the values it could not have asked for. */
export interface LiftedText {
  readonly text: string;
  readonly extraEnv?: Readonly<Record<string, string>>;
}

/** `${NAME.path}`: no shell's own syntax. */
const nested = /\$\{([A-Za-z_][A-Za-z0-9_]*)\.[^{}$`'"\\\n]+\}/g;

/** The same, and `${NAME:offset:length}`, which plain `sh` refuses. */
const nestedOrSlice = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?:\.[^{}$`'"\\\n]+|:[0-9]+(?::[0-9]+)?)\}/g;

const withoutSlices: ReadonlySet<string> = new Set(['sh', 'dash', 'ash']);

/**
 * Replaces the references a POSIX shell cannot read, `${VAR.outputs.KEY}` (seed 1, `output`) and slices, by
 * references to variables that hold their values: the value stays data, whatever it contains. Only names the
 * engine knows are touched; text for other interpreters is left as it is.
 */
export async function liftReferences(context: StepContext, shell: Shell, text: string): Promise<LiftedText> {
  if (!isPosixShell(shell)) return { text };
  const pattern = withoutSlices.has(readProgramName(shell.command[0] ?? '')) ? nestedOrSlice : nested;
  const references = new Set<string>();
  for (const [reference, name] of text.matchAll(pattern)) {
    if (Object.hasOwn(context.env, name!)) references.add(reference);
  }
  if (references.size === 0) return { text };
  const names = new Map<string, string>();
  const extraEnv: Record<string, string> = {};
  for (const reference of references) {
    const name = `ENGINE_VALUE_${names.size + 1}`;
    const value = await context.expand(reference);
    // A path that leads nowhere may come back as it was; the shell then says what is wrong with it.
    if (value === reference) continue;
    names.set(reference, `\${${name}}`);
    extraEnv[name] = value;
  }
  return { text: text.replaceAll(pattern, (reference) => names.get(reference) ?? reference), extraEnv };
}
