// A file of its own: only commands that have found problems load it.
import { readFileSync } from 'node:fs';
import type { JsonValue } from '../base/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { formatDiagnosticWithExcerpt } from '../spec/format-diagnostic.ts';
import type { Channel } from './terminal.ts';

/**
 * Returns diagnostics, each with its location, message and source excerpt.
 * @param text source of the file; empty if not available
 */
export function showDiagnostics(channel: Channel, diagnostics: readonly Diagnostic[], text: string): string {
  return diagnostics.map((diagnostic) => showDiagnostic(channel, diagnostic, text)).join('');
}

function showDiagnostic(channel: Channel, diagnostic: Diagnostic, text: string): string {
  const [first = '', ...excerpt] = formatDiagnosticWithExcerpt(diagnostic, text).split('\n');
  const paint = diagnostic.severity === 'error' ? 'red' : 'yellow';
  return [channel.paint(paint, first), ...excerpt, ''].join('\n');
}

/** Returns the diagnostics of an `invalid_spec` error. */
export function readDiagnostics(details: Readonly<Record<string, JsonValue>> | undefined): Diagnostic[] {
  const listed = details?.['diagnostics'];
  return Array.isArray(listed) ? (listed as unknown as Diagnostic[]) : [];
}

/** Returns the source of a file with diagnostics; empty if it cannot be read. */
export function readFileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
