import type { Diagnostic } from '../model/diagnostic.ts';
import type { JsonValue } from '../base/json.ts';
import type { SourcePosition } from '../model/step.ts';
import { MAX_DIAGNOSTICS } from './limits.ts';

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
   * Returns the diagnostics in the order of the file: at most {@link MAX_DIAGNOSTICS}, and a last one that reports that
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

/** A value of the file with its position. Aliases share nodes, so nodes must not be changed. */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  /** Offset of its first character. */
  readonly start: number;
  readonly value: string | number | boolean | null;
  /** A number as written (`007`, `1.10`), so that it can be used as a string; else the value as a string. */
  readonly text: string;
}

export interface ListNode {
  readonly kind: 'list';
  readonly start: number;
  readonly items: readonly SourceNode[];
}

export interface MapNode {
  readonly kind: 'map';
  readonly start: number;
  /** In the order of the file. */
  readonly entries: ReadonlyMap<string, MapEntry>;
  /** Keys were rejected and removed, so a missing key is not a separate error. */
  readonly incomplete?: boolean;
}

export interface MapEntry {
  /** Offset of the key. */
  readonly keyStart: number;
  readonly node: SourceNode;
  /** The key as written in the file, if it was renamed. */
  readonly written?: string;
}

/** A node with its path. */
export interface SourceRef {
  readonly node: SourceNode;
  /** Field path such as `steps[2].retryPolicy.limit`. */
  readonly path: string;
}

/** Returns the source of a map value or list item, or the parent if there is no such child. */
export function getField(parent: SourceRef, key: string | number): SourceRef {
  return findField(parent, key) ?? parent;
}

/** Returns the source of a map value or list item, if it exists. */
export function findField({ node, path }: SourceRef, key: string | number): SourceRef | undefined {
  if (node.kind === 'scalar') return undefined;
  const child = node.kind === 'list' ? node.items[Number(key)] : node.entries.get(String(key))?.node;
  return child && { node: child, path: joinPath(path, node.kind === 'list' ? Number(key) : String(key)) };
}

/** Whether keys of this map were rejected and removed. */
export function isIncomplete({ node }: SourceRef): boolean {
  return node.kind === 'map' && node.incomplete === true;
}

/** Returns the offset of an entry's key, or of the map if there is no such entry. */
export function getKeyStart(node: SourceNode, key: string): number {
  return (node.kind === 'map' ? node.entries.get(key)?.keyStart : undefined) ?? node.start;
}

/** Longer keys are truncated in paths, because each diagnostic has a path. */
const MAX_KEY_SHOWN = 200;

/** Appends a key to a path: `steps` + 2 → `steps[2]`; `env` + `A B` → `env["A B"]`. */
export function joinPath(path: string, written: string | number): string {
  if (typeof written === 'number') return `${path}[${written}]`;
  const key = written.length > MAX_KEY_SHOWN ? `${written.slice(0, MAX_KEY_SHOWN)}…` : written;
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Returns the plain value of a node. Every key becomes an own property, including `__proto__`. */
export function toValue(node: SourceNode): JsonValue {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toValue);
  const value: { [key: string]: JsonValue } = {};
  for (const [key, entry] of node.entries) {
    if (key !== '__proto__') value[key] = toValue(entry.node);
    else
      Object.defineProperty(value, key, { value: toValue(entry.node), enumerable: true, configurable: true });
  }
  return value;
}

/** Returns a scalar as the string that an environment variable or parameter receives. Null is empty. */
export function getText(node: SourceNode): string {
  return node.kind === 'scalar' ? node.text : '';
}

/** Converts offsets of one text to lines and columns. */
export interface LineMap {
  /** Returns the 1-based position of an offset; an offset beyond the end is the end. */
  locate(offset: number): SourcePosition;
}

/** Replaces each lone carriage return, which is a line break in YAML 1.2, by a line feed; offsets stay the same. */
export const normalizeLineEnds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;

/** Reads the line starts of a text once; each lookup is a binary search. */
export function createLineMap(written: string): LineMap {
  const text = normalizeLineEnds(written);
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    locate(offset) {
      const inside = Math.max(0, Math.min(offset, text.length));
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= inside) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: inside - starts[low]! + 1 };
    },
  };
}

/** Where and why a text is binary data. */
export interface BinaryLocation {
  /** Offset of the first invalid character. */
  readonly offset: number;
  /** The problem and its solution. */
  readonly message: string;
}

// ASCII control characters that YAML 1.2, section 5.1, does not allow: all but tab and line breaks.
const controlCharacter = /[^\P{Cc}\t\n\r\u0080-\u009f]/u;

/**
 * Detects a binary file that was decoded as text.
 * @returns the first character that YAML does not allow, or undefined
 */
export function locateBinary(text: string): BinaryLocation | undefined {
  const offset = text.search(controlCharacter);
  if (offset < 0) return undefined;
  const code = text.charCodeAt(offset);
  if (code === 0) {
    return {
      offset,
      message: 'This is a binary file: it contains a NUL byte. Save it as YAML text in UTF-8.',
    };
  }
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return {
    offset,
    message: `Control character ${name} is not allowed in YAML. Remove it, or write it as "\\x${name.slice(-2).toLowerCase()}" in double quotes.`,
  };
}
