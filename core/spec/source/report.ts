import type { Diagnostic } from '../../model/diagnostic.ts';
import { MAX_DIAGNOSTICS } from '../limits.ts';
import { createLineMap, type LineMap } from './line-map.ts';
import type { SourceRef } from './source-node.ts';

/** Maximum length of a diagnostic's message. */
const MAX_MESSAGE_LENGTH = 2000;

/** Collects the diagnostics of one file. */
export interface Report {
  readonly lines: LineMap;
  /** Reports an error at the value of a field. */
  error(source: SourceRef, message: string): void;
  warning(source: SourceRef, message: string): void;
  /** Reports an error at a key, or elsewhere outside a value. */
  errorAt(offset: number, path: string, message: string): void;
  warningAt(offset: number, path: string, message: string): void;
  /** Number of errors so far; callers compare it before and after to find out whether their part is valid. */
  readonly errorCount: number;
  /** Whether further errors would not be shown, so that no message needs to be built. */
  readonly full: boolean;
  /**
   * Returns the diagnostics in the order of the file: at most {@link MAX_DIAGNOSTICS}, and a last one that says that
   * there are more.
   */
  list(): Diagnostic[];
}

interface Entry {
  readonly severity: Diagnostic['severity'];
  readonly offset: number;
  readonly path: string;
  readonly message: string;
}

/**
 * @param text the text that offsets refer to
 * @param file name of the file as the caller specified it; empty for none
 */
export function createReport(text: string, file: string): Report {
  const lines = createLineMap(text);
  // The value of an anchor is validated at every alias, but its errors are reported once.
  const seen = new Set<string>();
  const entries: Entry[] = [];
  let errorCount = 0;
  const add = (entry: Entry): void => {
    if (entry.severity === 'error') errorCount += 1;
    if (entries.length > 20 * MAX_DIAGNOSTICS) return;
    const message = cut(entry.message);
    const identity = `${entry.offset} ${message}`;
    if (seen.has(identity)) return;
    seen.add(identity);
    entries.push({ ...entry, message });
  };
  return {
    lines,
    error: ({ node, path }, message) => add({ severity: 'error', offset: node.start, path, message }),
    warning: ({ node, path }, message) => add({ severity: 'warning', offset: node.start, path, message }),
    errorAt: (offset, path, message) => add({ severity: 'error', offset, path, message }),
    warningAt: (offset, path, message) => add({ severity: 'warning', offset, path, message }),
    get errorCount() {
      return errorCount;
    },
    get full() {
      return entries.length > MAX_DIAGNOSTICS;
    },
    list: () => shorten(entries).map((entry) => toDiagnostic(entry, file, lines)),
  };
}

/** A message may quote a long value of the file. */
const cut = (message: string): string =>
  message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH)}….`;

/** Keeps errors rather than warnings if there are too many, in the order of the file. */
function shorten(entries: readonly Entry[]): Entry[] {
  const ordered = entries.toSorted((a, b) => a.offset - b.offset);
  if (ordered.length <= MAX_DIAGNOSTICS) return ordered;
  const errors = ordered.filter((entry) => entry.severity === 'error');
  const reported = (errors.length > 0 ? errors : ordered).slice(0, MAX_DIAGNOSTICS);
  const last = reported.at(-1)!;
  const message = `More than ${MAX_DIAGNOSTICS} problems. Fix these first to see the rest.`;
  return [...reported, { severity: last.severity, offset: last.offset, path: '', message }];
}

function toDiagnostic(entry: Entry, file: string, lines: LineMap): Diagnostic {
  const { line, column } = lines.locate(entry.offset);
  return { severity: entry.severity, message: entry.message, file, line, column, path: entry.path };
}
