import type { Diagnostic } from '../model/diagnostic.ts';
import { normalizeLineEnds } from './source.ts';

/** Formats a diagnostic: `etl.yaml:3:5: message (steps[0].command)`, with the severity if it is a warning. */
export function formatDiagnostic({ severity, message, file, line, column, path }: Diagnostic): string {
  const location = line === 0 ? file : `${file === '' ? '' : `${file}:`}${line}:${column}`;
  const kind = severity === 'warning' ? 'warning: ' : '';
  return `${location}: ${kind}${message}${path === '' ? '' : ` (${path})`}`;
}

/** Maximum length of the source line in an excerpt. */
const EXCERPT_WIDTH = 100;

/** Control characters except tab: unescaped, they could control the terminal. */
const controlCharacter = /[^\P{Cc}\t]/gu;

/**
 * Formats the diagnostic with its source line and a caret below the position:
 *
 * ```
 * etl.yaml:3:5: "command" must be text … (steps[0].command)
 *   3 |     command: {}
 *     |              ^
 * ```
 *
 * @param text content of the file; empty if it could not be read, in which case only the position is shown
 */
export function formatDiagnosticWithExcerpt(diagnostic: Diagnostic, text: string): string {
  const head = formatDiagnostic(diagnostic);
  const source = findLine(text, diagnostic.line);
  if (source === undefined || text === '') return head;
  // Prints the part of a long line around the position.
  const start = diagnostic.column > EXCERPT_WIDTH - 20 ? diagnostic.column - 40 : 0;
  const excerpt = source.slice(start, start + EXCERPT_WIDTH).replaceAll(controlCharacter, '\uFFFD');
  const number = String(diagnostic.line);
  const gutter = ' '.repeat(number.length);
  // Tabs before the caret keep it below its character.
  const indent = excerpt.slice(0, Math.max(0, diagnostic.column - 1 - start)).replaceAll(/[^\t]/g, ' ');
  return `${head}\n  ${number} | ${excerpt}\n  ${gutter} | ${indent}^`;
}

function findLine(written: string, line: number): string | undefined {
  const text = normalizeLineEnds(written);
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; number < line; number += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? undefined : end).replace(/\r$/, '');
}
