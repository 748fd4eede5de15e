import type { Diagnostic } from '../model/diagnostic.ts';
import { normalizeLineEnds } from './source/line-map.ts';

/** `etl.yaml:3:5: message (steps[0].command)`; a warning says so before its message. */
export function formatDiagnostic({ severity, message, file, line, column, path }: Diagnostic): string {
  const place = line === 0 ? file : `${file === '' ? '' : `${file}:`}${line}:${column}`;
  const kind = severity === 'warning' ? 'warning: ' : '';
  return `${place}: ${kind}${message}${path === '' ? '' : ` (${path})`}`;
}

/** Most characters of the line shown in an excerpt. */
const EXCERPT_WIDTH = 100;

/** All but the tab; shown as they are, they would command the terminal instead of being read. */
const controlCharacter = /[^\P{Cc}\t]/gu;

/**
 * The diagnostic with the line it speaks of and a caret below the place:
 * ```
 * etl.yaml:3:5: "command" must be text … (steps[0].command)
 *   3 |     command: {}
 *     |              ^
 * ```
 * @param text the text of the file; empty for one that could not be read: then the place alone
 */
export function formatDiagnosticWithExcerpt(diagnostic: Diagnostic, text: string): string {
  const head = formatDiagnostic(diagnostic);
  const source = findLine(text, diagnostic.line);
  if (source === undefined || text === '') return head;
  // Of a long line, the part around the place.
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
