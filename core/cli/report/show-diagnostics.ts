import { readFileSync } from 'node:fs';
import type { JsonValue } from '../../base/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { formatDiagnosticWithExcerpt } from '../../spec/format-diagnostic.ts';
import type { Channel } from '../terminal.ts';

/**
 * Diagnostics for a person, each with the line it is about: place and message, then the excerpt.
 * @param text of the file; empty when it cannot be had
 */
export function showDiagnostics(channel: Channel, diagnostics: readonly Diagnostic[], text: string): string {
  return diagnostics.map((diagnostic) => showDiagnostic(channel, diagnostic, text)).join('');
}

function showDiagnostic(channel: Channel, diagnostic: Diagnostic, text: string): string {
  const [first = '', ...excerpt] = formatDiagnosticWithExcerpt(diagnostic, text).split('\n');
  const paint = diagnostic.severity === 'error' ? 'red' : 'yellow';
  return [channel.paint(paint, first), ...excerpt, ''].join('\n');
}

/** The diagnostics in the details of an `invalid_spec` refusal. */
export function readDiagnostics(details: Readonly<Record<string, JsonValue>> | undefined): Diagnostic[] {
  const listed = details?.['diagnostics'];
  return Array.isArray(listed) ? (listed as unknown as Diagnostic[]) : [];
}

/** The text of a file that diagnostics are about; empty when it cannot be read (any more). */
export function readTextOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
