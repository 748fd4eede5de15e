import { isMap, isSeq, type Document, type YAMLMap, type YAMLSeq } from 'yaml';
import { MAX_TOKENS } from '../../../spec/limits.ts';
import { createReport } from '../../../spec/source/report.ts';
import { parseDocuments } from '../../../spec/yaml/parse-yaml.ts';
import { entriesOf, isFlow } from '../entries.ts';
import { fillFrame, type Frame, type Item } from './fill-frame.ts';
import { matchItems } from './match-items.ts';
import { findStepLines, type StepLines } from './step-lines.ts';

/** A text with the documents that were read from it. */
export interface ReadText {
  readonly text: string;
  readonly documents: readonly Document.Parsed[];
}

/** A list of steps in a text, and its lines. */
interface KnownSteps {
  readonly lines: StepLines;
  readonly list: YAMLSeq;
}

/**
 * Reads a text of which much stands in another one that has been read already: only steps that are not there are read
 * anew, and what surrounds the steps. The documents are those that reading the whole text would give.
 * @returns undefined where that cannot be promised, as with a mistake in the text; then the whole text has to be read
 */
export function reparse(text: string, near: ReadText): readonly Document.Parsed[] | undefined {
  // So short a text has few enough tokens, however it is divided.
  if (text.length > MAX_TOKENS) return undefined;
  const known = knownSteps(near);
  const lines = known && findStepLines(text);
  if (known === undefined || lines === undefined || lines.starts.length < 2) return undefined;
  const frame = readFrame(text, lines);
  if (frame === undefined) return undefined;
  const items = collectItems(text, lines, { ...known, text: near.text });
  if (items === undefined) return undefined;
  fillFrame(frame, items);
  return frame.documents;
}

const knownTexts = new WeakMap<readonly Document.Parsed[], KnownSteps | undefined>();

function knownSteps({ text, documents }: ReadText): KnownSteps | undefined {
  if (!knownTexts.has(documents)) {
    const lines = findStepLines(text);
    const list = lines && findList(documents, lines)?.list;
    knownTexts.set(documents, lines && list ? { lines, list } : undefined);
  }
  return knownTexts.get(documents);
}

/** The list whose items begin where the lines say, among the fields of a workflow. */
function findList(
  documents: readonly Document.Parsed[],
  { starts, column }: StepLines,
): { readonly root: YAMLMap; readonly list: YAMLSeq; readonly place: number } | undefined {
  const start = starts[0]! + column;
  for (const { contents: root } of documents) {
    if (!isMap(root) || isFlow(root)) continue;
    const place = root.items.findIndex(({ value }) => isSeq(value) && value.range?.[0] === start);
    const list = root.items[place]?.value;
    if (!isSeq(list) || isFlow(list) || list.anchor !== undefined || list.tag !== undefined) continue;
    const entries = entriesOf(list);
    const isSame =
      entries.length === starts.length && entries.every(({ from }, item) => from === starts[item]! + column);
    return isSame ? { root, list, place } : undefined;
  }
  return undefined;
}

function readFrame(text: string, { starts, column, end }: StepLines): Frame | undefined {
  const [first, last] = [starts[0]!, starts.at(-1)!];
  const documents = parseCleanly(text.slice(0, first) + text.slice(last));
  const found = documents && findList(documents, { starts: [first], column, end });
  return found && { ...found, documents: documents, gap: last - first };
}

/** The documents of a text about which there is nothing to say. */
function parseCleanly(text: string): Document.Parsed[] | undefined {
  const report = createReport(text, '');
  const documents = parseDocuments(text, report, { keepSourceTokens: true });
  return report.list().length > 0 ? undefined : documents;
}

/** All items but the last one. */
function collectItems(
  text: string,
  lines: StepLines,
  known: KnownSteps & { readonly text: string },
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

/** Reads items that follow each other, with another behind them as in the text. */
function readItems(
  text: string,
  { starts, column }: StepLines,
  from: number,
  to: number,
): Item[] | undefined {
  const head = 'steps:\n';
  const own = text.slice(starts[from], starts[to]);
  const documents = parseCleanly(`${head}${own}${' '.repeat(column)}- ~\n`);
  const offset = starts[from]! - head.length;
  const expected = starts.slice(from, to + 1).map((start) => start - offset);
  const found = documents && findList(documents, { starts: expected, column, end: 0 });
  return found && expected.slice(0, -1).map((_, index) => ({ list: found.list, index, by: offset }));
}
