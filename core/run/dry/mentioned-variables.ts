import type { ShellDialect } from '../../executors/shell/shell-dialect.ts';

/**
 * Returns which of some variables a shell or interpreter script refers to, in the order of the variables. In POSIX
 * shell scripts they follow `$`; elsewhere (`os.environ["DATE"]`, `%DATE%`, `$env:DATE`) they appear as words.
 */
export function findMentionedVariables(
  text: string,
  names: readonly string[],
  dialect: ShellDialect | undefined,
): string[] {
  const mentioned = new Set<string>();
  const pattern =
    dialect === undefined ? /[A-Za-z_][A-Za-z0-9_]*/g : /\$\{?[#!]?([A-Za-z_][A-Za-z0-9_]*|[0-9]+)/g;
  for (const match of text.matchAll(pattern)) mentioned.add(match[1] ?? match[0]);
  if (dialect !== undefined && /\$\{?[@*]/.test(text))
    for (const name of names) if (/^[0-9]+$/.test(name)) mentioned.add(name);
  return names.filter((name) => mentioned.has(name));
}
