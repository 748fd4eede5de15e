import type { LogAddress } from '../reading/log-book.ts';
import type { LogStream } from '../rows/line-rows.ts';

/** Lines that are chosen; 0-based, both ends belong to it. */
export interface ChosenLines {
  readonly stream: LogStream;
  readonly from: number;
  readonly to: number;
}

/** From an address: `120`, `120-140`, and `stderr:7` for one of the other stream. People count from 1. */
export function readChosen(written: string | null): ChosenLines | undefined {
  const found = /^(?:(stdout|stderr):)?(\d{1,15})(?:-(\d{1,15}))?$/.exec(written ?? '');
  if (!found) return undefined;
  const stream = (found[1] ?? 'stdout') as LogStream;
  const [first, last] = [Number(found[2]), Number(found[3] ?? found[2])];
  if (first < 1 || last < 1) return undefined;
  return { stream, from: Math.min(first, last) - 1, to: Math.max(first, last) - 1 };
}

/** For an address. */
export function writeChosen({ stream, from, to }: ChosenLines): string {
  const lines = from === to ? String(from + 1) : `${from + 1}-${to + 1}`;
  return stream === 'stdout' ? lines : `${stream}:${lines}`;
}

/** A line with what it is of, for people and their notes: `01a1f8c1…/load:120`. */
export const writeReference = ({ dagRunId, step }: LogAddress, chosen: ChosenLines): string =>
  `${dagRunId}/${step}:${writeChosen(chosen)}`;

/** The lines from those that are chosen to another one of their stream. */
export function extendChosen(chosen: ChosenLines | undefined, stream: LogStream, line: number): ChosenLines {
  if (chosen?.stream !== stream) return { stream, from: line, to: line };
  return { stream, from: Math.min(chosen.from, line), to: Math.max(chosen.to, line) };
}
