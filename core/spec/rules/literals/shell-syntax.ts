import type { Report } from '../../source/report.ts';

/** Syntax that a shell expands and the engine does not: operators after a name, lengths, arithmetic, substitutions. */
const shellOnly =
  /\\.|'[^']{0,2000}'|`[^`]{0,2000}`|(\$\{#[A-Za-z_]\w{0,80}\}|\$\(\([^()]{0,200}\)\)|\$\([^()]{0,200}\)|\$\{[A-Za-z_]\w{0,80}[%#/^,][^{}]{0,200}\})/gs;

/**
 * Describes the shell syntax in a value that the engine does not expand, as in `env` and `params`; undefined if there
 * is none.
 */
export function describeShellSyntax(value: string): string | undefined {
  if (!value.includes('$')) return undefined;
  const found = value.slice(0, 20_000).matchAll(shellOnly);
  const written = [...found].map(([, syntax]) => syntax).find((syntax) => syntax !== undefined);
  if (written === undefined) return undefined;
  return `${written} is not expanded here. Run a command in backticks: \`${asCommand(written)}\`.`;
}

/**
 * Reports shell syntax in a value as a warning.
 * @param offset offset of the value in the file
 */
export function warnOfShellSyntax(value: string, offset: number, path: string, report: Report): void {
  const message = describeShellSyntax(value);
  if (message !== undefined) report.warningAt(offset, path, message);
}

/** Returns a command that prints the value of the syntax. */
function asCommand(written: string): string {
  if (written.startsWith('$(') && !written.startsWith('$((')) return written.slice(2, -1);
  // Not every sh can replace text or change case.
  return /^\$\{\w+[/^,]/.test(written) ? `bash -c 'echo "${written}"'` : `echo "${written}"`;
}

/**
 * Finds syntax that only bash and similar shells support: `[[ … ]]` or an array, outside quotes; undefined if there is
 * none.
 */
export function findBashSyntax(text: string): string | undefined {
  if (!text.includes('[[') && !text.includes('=(') && !/\[[@*]\]/.test(text)) return undefined;
  const plain = removeQuoted(text);
  if (/(?:^|[\n;&|(!{]|\b(?:if|while|until|then|do|else|elif))[ \t]*\[\[\s/.test(plain)) return '[[ … ]]';
  const array = /(?:^|[\s;&|(])([A-Za-z_]\w{0,80})\+?=\(/.exec(plain);
  if (array !== null) return `Array ${array[1]}=(…)`;
  const element = /\$\{([A-Za-z_]\w{0,80})\[[@*]\]/.exec(text);
  return element === null ? undefined : `Array \${${element[1]}[@]}`;
}

/** Removes quoted strings and comments in one pass. */
function removeQuoted(text: string): string {
  let plain = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '\\') at += 1;
    else if (character === "'" || character === '"') at = endOfQuote(text, at);
    else if (character === '#' && (at === 0 || /\s/.test(text[at - 1]!))) {
      const end = text.indexOf('\n', at);
      at = (end === -1 ? text.length : end) - 1;
    } else plain += character;
  }
  return plain;
}

function endOfQuote(text: string, start: number): number {
  const quote = text[start]!;
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += quote === '"' && text[at] === '\\' ? 2 : 1;
  return at;
}
