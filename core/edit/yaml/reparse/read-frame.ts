import { isCollection, isMap, isSeq, type Document, type YAMLMap } from 'yaml';
import { createReport } from '../../../spec/source/report.ts';
import { parseDocuments } from '../../../spec/yaml/parse-yaml.ts';
import { entriesOf, isFlow, type Collection } from '../entries/entries.ts';
import type { Frame, Item } from './fill-frame.ts';
import type { StepLines } from './step-lines.ts';

/** Finds the list or map whose items start at these lines, among the fields of a workflow. */
export function findList(
  documents: readonly Document.Parsed[],
  { form, starts, column }: StepLines,
): { readonly root: YAMLMap; readonly list: Collection; readonly position: number } | undefined {
  const start = starts[0]! + column;
  const isForm = (node: unknown): node is Collection => (form === 'list' ? isSeq(node) : isMap(node));
  for (const { contents: root } of documents) {
    if (!isMap(root) || isFlow(root)) continue;
    const position = root.items.findIndex(({ value }) => isForm(value) && value.range?.[0] === start);
    const list = root.items[position]?.value;
    if (!isCollection(list) || isFlow(list) || list.anchor !== undefined || list.tag !== undefined) continue;
    const entries = entriesOf(list);
    const isSame =
      entries.length === starts.length && entries.every(({ from }, item) => from === starts[item]! + column);
    return isSame ? { root, list, position } : undefined;
  }
  return undefined;
}

/** Parses the text around the steps together with the last step; undefined if there is an error. */
export function readFrame(text: string, lines: StepLines): Frame | undefined {
  const { starts } = lines;
  const [first, last] = [starts[0]!, starts.at(-1)!];
  const documents = parseCleanly(text.slice(0, first) + text.slice(last));
  const found = documents && findList(documents, { ...lines, starts: [first] });
  return found && { ...found, documents: documents, gap: last - first };
}

/** Returns the documents of a text without errors and warnings. */
function parseCleanly(text: string): Document.Parsed[] | undefined {
  const report = createReport(text, '');
  const documents = parseDocuments(text, report, { keepSourceTokens: true });
  return report.list().length > 0 ? undefined : documents;
}

/**
 * Parses consecutive items, with the next item after them as in the text.
 * @param to the item after the last of them
 * @returns undefined if there is an error
 */
export function readItems(text: string, lines: StepLines, from: number, to: number): Item[] | undefined {
  const { form, starts, column } = lines;
  const head = 'steps:\n';
  const next = form === 'list' ? '- ~' : 'next: ~';
  const source = text.slice(starts[from], starts[to]);
  const documents = parseCleanly(`${head}${source}${' '.repeat(column)}${next}\n`);
  const offset = starts[from]! - head.length;
  const expected = starts.slice(from, to + 1).map((start) => start - offset);
  const found = documents && findList(documents, { ...lines, starts: expected });
  return found && expected.slice(0, -1).map((_, index) => ({ list: found.list, index, by: offset }));
}
