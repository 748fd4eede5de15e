/** Text of a makefile converted for the shell, or the make function that has no equivalent there. */
export type ExpandedText =
  | { readonly text: string }
  | { readonly unknown: string }
  /** Reason that follows the name of what contains the text. */
  | { readonly problem: string };

const maxDepth = 20;

/** Maximum nesting and number of references, and maximum number of characters that are read for one text. */
const maxNestingDepth = 100;
const maxReferences = 10_000;
const maxCharacters = 4 * 1024 * 1024;

/**
 * Converts the `$` of make to that of the shell: `$$` becomes `$`, automatic variables become their values, variables
 * in `shown` become shell variables, other variables become their text, and `$(shell …)` becomes a command
 * substitution.
 */
export function expandMake(
  text: string,
  rule: { readonly target: string; readonly prerequisites: readonly string[] },
  variables: ReadonlyMap<string, MakeVariable>,
  shown: ReadonlySet<string>,
): ExpandedText {
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
    // An unset variable is empty, as in make; environment variables have been handled before.
    return replaceAll(variables.get(name)?.value ?? '', depth + 1);
  };
  const replaceAll = (part: string, depth: number): string => {
    characters += part.length;
    isTooLong ||= references > maxReferences || characters > maxCharacters || nesting > maxNestingDepth;
    if (depth > maxDepth || isTooLong) return '';
    nesting += 1;
    const replaced = replaceReferences(part, (name) => {
      references += 1;
      return name === '$' ? '$' : isTooLong ? '' : resolve(name, depth);
    });
    nesting -= 1;
    return replaced;
  };
  const expanded = replaceAll(text, 0);
  if (isTooLong) return { problem: 'nests variables too deeply. Write out the commands, or run make.' };
  return unknown === undefined ? { text: expanded } : { unknown };
}

/** Calls `replace` with the text after each `$`: one character, or the text in brackets including nested ones. */
function replaceReferences(text: string, replace: (name: string) => string): string {
  let result = '';
  let at = 0;
  for (let dollar = text.indexOf('$'); dollar >= 0; dollar = text.indexOf('$', at)) {
    result += text.slice(at, dollar);
    const end = findReferenceEnd(text, dollar + 1);
    const name = text.slice(dollar + 1, end);
    result += replace(/^[({]/.test(name) ? name.slice(1, -1) : name);
    at = end;
  }
  return result + text.slice(at);
}

function findReferenceEnd(text: string, start: number): number {
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

/** A variable of a makefile. */
export interface MakeVariable {
  readonly value: string;
  /** Set with `?=`: the caller of make may override it. */
  readonly isDefault: boolean;
}
