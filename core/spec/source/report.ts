import type { Diagnostic } from '../../model/diagnostic.ts';
import { MAX_DIAGNOSTICS } from '../limits.ts';
import { createLineMap, type LineMap } from './line-map.ts';
import type { Place } from './source-node.ts';

/** Longest message of a diagnostic, in characters. */
const MAX_MESSAGE_LENGTH = 2000;

/** Collects what is wrong with one file. */
export interface Report {
  readonly lines: LineMap;
  /** At the value of a field. */
  error(place: Place, message: string): void;
  warning(place: Place, message: string): void;
  /** At a key, or anywhere else that is no value. */
  errorAt(offset: number, path: string, message: string): void;
  warningAt(offset: number, path: string, message: string): void;
  /** Errors so far; a caller compares two readings to learn whether its part is sound. */
  readonly errorCount: number;
  /** Whether further errors would not be shown, so that no work is due on their words. */
  readonly full: boolean;
  /** All of them in the order of the file, at most {@link MAX_DIAGNOSTICS} and a last one that says so. */
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
 * @param file the file as the caller named it; empty for none
 */
export function createReport(text: string, file: string): Report {
  const lines = createLineMap(text);
  // An anchor's value is checked at every alias; its mistake is one mistake.
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

/** A message may quote a value of the file, however long that is. */
const cut = (message: string): string =>
  message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH)}….`;

/** Errors outrank warnings when there is no room for all; what is kept is in the order of the file. */
function shorten(entries: readonly Entry[]): Entry[] {
  const ordered = entries.toSorted((a, b) => a.offset - b.offset);
  if (ordered.length <= MAX_DIAGNOSTICS) return ordered;
  const errors = ordered.filter((entry) => entry.severity === 'error');
  const kept = (errors.length > 0 ? errors : ordered).slice(0, MAX_DIAGNOSTICS);
  const last = kept.at(-1)!;
  const message = `More than ${MAX_DIAGNOSTICS} problems. Fix these first to see the rest.`;
  return [...kept, { severity: last.severity, offset: last.offset, path: '', message }];
}

function toDiagnostic(entry: Entry, file: string, lines: LineMap): Diagnostic {
  const { line, column } = lines.locate(entry.offset);
  return { severity: entry.severity, message: entry.message, file, line, column, path: entry.path };
}
