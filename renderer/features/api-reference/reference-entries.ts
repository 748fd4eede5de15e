import {
  listReferenceGroups,
  listSchemaEntries,
  type OperationEntry,
  type SchemaEntry,
} from '../../../core/contract/api-reference.ts';

/** One row of the list. */
export interface ListEntry {
  readonly name: string;
  /** `GET` and other methods, or `SSE` for a stream; empty for a shape. */
  readonly kind: string;
  /** Lower-case text for the search. */
  readonly text: string;
}

/** A group of rows. */
export interface ListGroup {
  readonly title: string;
  readonly entries: readonly ListEntry[];
}

const operationGroups = listReferenceGroups();
const shapes = listSchemaEntries();

const groups: readonly ListGroup[] = [
  ...operationGroups.map(({ title, entries }) => ({ title, entries: entries.map(listOperation) })),
  { title: 'Schemas', entries: shapes.map(listShape) },
];

/** Number of operations and streams. */
export const operationCount = operationGroups.reduce((sum, { entries }) => sum + entries.length, 0);

/** The first entry in the list, shown by default. */
export const firstEntryName = groups[0]!.entries[0]!.name;

/** Filters the rows of each group to those that contain all words; omits empty groups. */
export function searchGroups(words: string): ListGroup[] {
  const searchWords = words.toLowerCase().split(/\s+/);
  return groups
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter(({ text }) => searchWords.every((word) => text.includes(word))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** Finds an operation or stream by name. */
export const findOperation = (name: string): OperationEntry | undefined =>
  operationGroups.flatMap(({ entries }) => entries).find((entry) => entry.name === name);

/** Finds a shape by name. */
export const findShape = (name: string): SchemaEntry | undefined =>
  shapes.find((shape) => shape.name === name);

function listOperation(entry: OperationEntry): ListEntry {
  const { name, method, path, summary, isStream, input } = entry;
  const text = [name, method, path, summary, ...input.map((field) => field.name)].join(' ');
  return { name, kind: isStream ? 'SSE' : method, text: text.toLowerCase() };
}

function listShape({ name, fields }: SchemaEntry): ListEntry {
  return {
    name,
    kind: '',
    text: [name, ...fields.map((field) => field.name)].join(' ').toLowerCase(),
  };
}
