import type { Document } from 'yaml';
import { MAX_TOKENS } from '../../../spec/limits.ts';
import { fillFrame, type Item } from './fill-frame.ts';
import { readFrame, readItems } from './read-frame.ts';
import { findStepLines } from './step-lines.ts';

/** How much is read at a time, in characters: some milliseconds. */
const partLength = 16_384;

/**
 * Reads a text part by part, for where others must have their turn in between.
 * @returns the documents, as reading the whole gives them; undefined where the text has to be read as a whole
 */
export function* parseInParts(text: string): Generator<undefined, readonly Document.Parsed[] | undefined> {
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
