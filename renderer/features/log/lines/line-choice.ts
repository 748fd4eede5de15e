import type { LogRef } from '../reading/log-line-cache.ts';
import type { LogStream } from '../rows/line-rows.ts';

/** Selected lines; 0-based, both ends inclusive. */
export interface SelectedLines {
  readonly stream: LogStream;
  readonly from: number;
  readonly to: number;
}

/** Parses the selection in an address: `120`, `120-140`, or `stderr:7` for the other stream. Counted from 1. */
export function parseLineSelection(written: string | null): SelectedLines | undefined {
  const found = /^(?:(stdout|stderr):)?(\d{1,15})(?:-(\d{1,15}))?$/.exec(written ?? '');
  if (!found) return undefined;
  const stream = (found[1] ?? 'stdout') as LogStream;
  const [first, last] = [Number(found[2]), Number(found[3] ?? found[2])];
  if (first < 1 || last < 1) return undefined;
  return { stream, from: Math.min(first, last) - 1, to: Math.max(first, last) - 1 };
}

/** Formats the selection for an address. */
export function formatLineSelection({ stream, from, to }: SelectedLines): string {
  const lines = from === to ? String(from + 1) : `${from + 1}-${to + 1}`;
  return stream === 'stdout' ? lines : `${stream}:${lines}`;
}

/** Returns a reference to a line, for notes: `01a1f8c1…/load:120`. */
export const writeReference = ({ dagRunId, step }: LogRef, chosen: SelectedLines): string =>
  `${dagRunId}/${step}:${formatLineSelection(chosen)}`;

/** Extends the selection to another line of the same stream. */
export function extendSelection(
  chosen: SelectedLines | undefined,
  stream: LogStream,
  line: number,
): SelectedLines {
  if (chosen?.stream !== stream) return { stream, from: line, to: line };
  return { stream, from: Math.min(chosen.from, line), to: Math.max(chosen.to, line) };
}
