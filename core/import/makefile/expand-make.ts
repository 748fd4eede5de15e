import type { MakeVariable } from './make-variable.ts';

/** A text of a makefile for the shell, or the function of make that has no counterpart there. */
export type Expanded =
  | { readonly text: string }
  | { readonly unknown: string }
  /** Words that follow the name of what holds the text. */
  | { readonly problem: string };

const deepest = 20;

/** Most references inside of each other, most references in all, and most characters that are looked at for a text. */
const deepestNesting = 100;
const mostReferences = 10_000;
const mostCharacters = 4 * 1024 * 1024;

/**
 * Turns the `$` of make into that of the shell: `$$` becomes `$`, automatic variables their values, variables in
 * `shown` a variable of the shell, all others their text; `$(shell …)` becomes a command substitution.
 */
export function expandMake(
  text: string,
  rule: { readonly target: string; readonly prerequisites: readonly string[] },
  variables: ReadonlyMap<string, MakeVariable>,
  shown: ReadonlySet<string>,
): Expanded {
  let unknown: string | undefined;
  let [references, characters, nesting] = [0, 0, 0];
  let isTooLong = false;
  const automatic: Readonly<Record<string, string>> = {
    '@': rule.target,
    '<': rule.prerequisites[0] ?? '',
    '^': rule.prerequisites.join(' '),
    '+': rule.prerequisites.join(' '),
    '?': rule.prerequisites.join(' '),
    '*': rule.target.replace(/\.\w+$/, ''),
  };
  const resolve = (name: string, depth: number): string => {
    if (name in automatic) return automatic[name]!;
    if (name === 'MAKE') return 'make';
    if (name === 'CURDIR') return '$PWD';
    const command = /^shell\s+(.*)$/s.exec(name)?.[1];
    if (command !== undefined) return `$(${replaceAll(command, depth)})`;
    if (!/^[\w.-]+$/.test(name)) {
      unknown ??= name.split(/[\s:,]/, 1)[0]!;
      return '';
    }
    if (shown.has(name)) return `\${${name}}`;
    // As make does with a variable that is not set; what the environment has under that name comes first there.
    return replaceAll(variables.get(name)?.value ?? '', depth + 1);
  };
  const replaceAll = (part: string, depth: number): string => {
    characters += part.length;
    isTooLong ||= references > mostReferences || characters > mostCharacters || nesting > deepestNesting;
    if (depth > deepest || isTooLong) return '';
    nesting += 1;
    const replaced = replaceReferences(part, (name) => {
      references += 1;
      return name === '$' ? '$' : isTooLong ? '' : resolve(name, depth);
    });
    nesting -= 1;
    return replaced;
  };
  const expanded = replaceAll(text, 0);
  if (isTooLong) return { problem: 'has too deeply nested variables. Write out the commands, or run make.' };
  return unknown === undefined ? { text: expanded } : { unknown };
}

/** Calls `replace` with what stands after each `$`: one character, or the text in brackets, nested ones included. */
function replaceReferences(text: string, replace: (name: string) => string): string {
  let result = '';
  let at = 0;
  for (let dollar = text.indexOf('$'); dollar >= 0; dollar = text.indexOf('$', at)) {
    result += text.slice(at, dollar);
    const end = endOfReference(text, dollar + 1);
    const name = text.slice(dollar + 1, end);
    result += replace(/^[({]/.test(name) ? name.slice(1, -1) : name);
    at = end;
  }
  return result + text.slice(at);
}

function endOfReference(text: string, start: number): number {
  const open = text[start];
  if (open !== '(' && open !== '{') return start + 1;
  const close = open === '(' ? ')' : '}';
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    else if (text[at] === close && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}
