import type { Document } from 'yaml';
import { MAX_TOKENS } from '../../../spec/limits.ts';
import type { Collection } from '../entries/entries.ts';
import { fillFrame, type Item } from './fill-frame.ts';
import { matchItems } from './match-items.ts';
import { findList, readFrame, readItems } from './read-frame.ts';
import { findStepLines, type StepLines } from './step-lines.ts';

/** A text with its parsed documents. */
export interface ReadText {
  readonly text: string;
  readonly documents: readonly Document.Parsed[];
}

/** A list or map of steps in a text, with its lines. */
interface StepCollection {
  readonly lines: StepLines;
  readonly list: Collection;
}

/**
 * Parses a text that is similar to a text that is already parsed: only new steps and the text around the steps are
 * parsed. The documents are the same as those of parsing the whole text.
 * @returns undefined if this cannot be guaranteed, for example for an invalid text; then the whole text must be parsed
 */
export function reparse(text: string, near: ReadText): readonly Document.Parsed[] | undefined {
  // A text this short has few enough tokens, however it is divided.
  if (text.length > MAX_TOKENS) return undefined;
  // It is unknown which step a warning belongs to.
  if (near.documents.some(({ warnings }) => warnings.length > 0)) return undefined;
  const known = knownSteps(near);
  const lines = known && findStepLines(text);
  if (known === undefined || lines === undefined || lines.starts.length < 2) return undefined;
  if (lines.form !== known.lines.form) return undefined;
  const frame = readFrame(text, lines);
  if (frame === undefined) return undefined;
  const items = collectItems(text, lines, { ...known, text: near.text });
  if (items === undefined) return undefined;
  fillFrame(frame, items);
  knownTexts.set(frame.documents, { lines, list: frame.list });
  return frame.documents;
}

const knownTexts = new WeakMap<readonly Document.Parsed[], StepCollection | undefined>();

function knownSteps({ text, documents }: ReadText): StepCollection | undefined {
  if (!knownTexts.has(documents)) {
    const lines = findStepLines(text);
    const list = lines && findList(documents, lines)?.list;
    knownTexts.set(documents, lines && list ? { lines, list } : undefined);
  }
  return knownTexts.get(documents);
}

/** Collects all items except the last one. */
function collectItems(
  text: string,
  lines: StepLines,
  known: StepCollection & { readonly text: string },
): Item[] | undefined {
  const matches = matchItems({ text, lines }, known);
  const items: Item[] = [];
  for (let item = 0; item < matches.length;) {
    const match = matches[item]!;
    if (match >= 0) {
      const by = lines.starts[item]! - known.lines.starts[match]!;
      items.push({ list: known.list, index: match, by });
      item += 1;
      continue;
    }
    let end = item;
    while (matches[end] === -1) end += 1;
    const read = readItems(text, lines, item, end);
    if (read === undefined) return undefined;
    items.push(...read);
    item = end;
  }
  return items;
}
