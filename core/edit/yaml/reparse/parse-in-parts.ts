import type { Document } from 'yaml';
import { MAX_TOKENS } from '../../../spec/limits.ts';
import { fillFrame, type Item } from './fill-frame.ts';
import { readFrame, readItems } from './read-frame.ts';
import { findStepLines } from './step-lines.ts';

/** Length of text that is parsed at a time, in UTF-16 code units; takes some milliseconds. */
const partLength = 16_384;

/**
 * Parses a text in parts, so that other work can run in between.
 * @returns the same documents as parsing the whole text; undefined if the text must be parsed as a whole
 */
export function* parseInChunks(text: string): Generator<undefined, readonly Document.Parsed[] | undefined> {
  const lines = text.length > MAX_TOKENS ? undefined : findStepLines(text);
  if (lines === undefined || lines.starts.length < 2) return undefined;
  const frame = readFrame(text, lines);
  if (frame === undefined) return undefined;
  const items: Item[] = [];
  const last = lines.starts.length - 1;
  while (items.length < last) {
    yield;
    const from = items.length;
    const limit = lines.starts[from]! + partLength;
    let to = from + 1;
    while (to < last && lines.starts[to]! < limit) to += 1;
    const read = readItems(text, lines, from, to);
    if (read === undefined) return undefined;
    items.push(...read);
  }
  yield;
  fillFrame(frame, items);
  return frame.documents;
}
