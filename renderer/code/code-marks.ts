// A file of its own: pages use it without loading the code editor.
import type { Diagnostic as Mark } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { Diagnostic } from '../../core/model/diagnostic.ts';

/** Returns the position of a diagnostic in the current text. */
export function getOffset(doc: Text, { line, column }: Pick<Diagnostic, 'line' | 'column'>): number {
  const { from, length, number, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  // A byte order mark does not count as a column.
  const mark = number === 1 && text.startsWith('\uFEFF') ? 1 : 0;
  return from + Math.min(column - 1 + mark, length);
}

const words = /^(?:"[^"]*"|'[^']*'|\$\{[^}]*\}|[^\s:,[\]{}#]+)/;

/** Converts a diagnostic to a mark on the affected words. */
export function toCodeMark(doc: Text, diagnostic: Diagnostic): Mark {
  const from = getOffset(doc, diagnostic);
  const line = doc.lineAt(from);
  const length = words.exec(line.text.slice(from - line.from))?.[0].length ?? 1;
  return {
    from,
    to: Math.min(from + length, line.to),
    severity: diagnostic.severity,
    message: diagnostic.message,
  };
}
