import { isMap, isSeq } from 'yaml';
import {
  entriesOf,
  endOfEntry,
  isBlockCollection,
  isFlow,
  type Collection,
} from '../../yaml/entries/entries.ts';
import { textOfKey } from '../../outline/fields.ts';
import type { OpenWorkflow } from '../open-workflow.ts';
import { columnOf, readEntryLines, startOfLine, type EntryRange } from './entry-lines.ts';
import type { StepSource } from './step-source.ts';

/** The list or map that contains a step, and its index there. */
export interface StepEntry {
  readonly collection: Collection;
  readonly position: number;
}

/** Returns undefined for a step that an anchor supplies. */
export function entryOf({ container, fields, drafts }: OpenWorkflow, step: number): StepEntry | undefined {
  const { item, isGrouped, path } = drafts[step]!;
  if ((!isMap(container) && !isSeq(container)) || fields.get('steps')?.written !== container)
    return undefined;
  if (!isGrouped) return { collection: container, position: item };
  const group = container.items[item];
  return isSeq(group) ? { collection: group as Collection, position: Number(path.at(-1)) } : undefined;
}

/** Returns the source of an entry of a list or map of steps without indentation, with its comments. */
export function sourceOfEntry(text: string, { collection, position }: StepEntry): StepSource {
  const entry = entriesOf(collection)[position]!;
  const name = entry.key === undefined ? '' : textOfKey(entry.key);
  const form = entry.key === undefined ? 'item' : 'entry';
  if (isFlow(collection)) {
    const from = entry.key === undefined ? entry.from : entry.mark;
    return { name, form, comments: '', value: text.slice(from, endOfEntry(text, entry)).trim() };
  }
  const range = readEntryLines(text, collection).at(position)!;
  return { name, form, comments: commentsOf(text, range), value: valueOf(text, range) };
}

function commentsOf(text: string, { from, entry, isInline }: EntryRange): string {
  if (isInline) return '';
  const lines = text.slice(from, startOfLine(text, entry.from)).replaceAll('\r', '');
  return lines.replaceAll(/^[ \t]+/gm, '');
}

/** Returns the text after `-` or the key, with the indentation of its first line removed from the others. */
function valueOf(text: string, { entry, to }: EntryRange): string {
  const rest = text.slice(entry.mark, to).replaceAll('\r', '');
  const start = entry.mark + Math.max(text.slice(entry.mark, to).search(/\S/), 0);
  const onNextLine = text.slice(entry.mark, start).includes('\n');
  const value = rest.trimStart();
  // An anchor or tag may be on the line before its map.
  const isBlock = isBlockCollection(entry.value);
  const first = isBlock && !onNextLine ? entry.value.range![0] : start;
  const column = isBlock ? columnOf(text, first) : minIndent(value);
  return value
    .replaceAll(new RegExp(`\\n {1,${Math.max(column, 1)}}`, 'g'), column === 0 ? '$&' : '\n')
    .replace(/\n$/, '');
}

/** Returns the smallest indentation of the lines after the first. */
function minIndent(value: string): number {
  const [, ...lines] = value.split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  return filled.length === 0 ? 0 : Math.min(...filled.map((line) => line.search(/\S/)));
}
