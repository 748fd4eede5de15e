import {
  describeApi,
  describeShapeEntries,
  type OperationEntry,
  type ShapeEntry,
} from '../../../core/contract/reference/api-reference.ts';

/** One line of the list. */
export interface ListEntry {
  readonly name: string;
  /** `GET` …, or `SSE` for a stream; empty for a shape. */
  readonly kind: string;
  /** Lower-case text that a search looks through. */
  readonly text: string;
}

/** Lines that belong together. */
export interface ListGroup {
  readonly title: string;
  readonly entries: readonly ListEntry[];
}

const operationGroups = describeApi();
const shapes = describeShapeEntries();

const groups: readonly ListGroup[] = [
  ...operationGroups.map(({ title, entries }) => ({ title, entries: entries.map(listOperation) })),
  { title: 'Schemas', entries: shapes.map(listShape) },
];

/** Number of operations and streams. */
export const operationCount = operationGroups.reduce((sum, { entries }) => sum + entries.length, 0);

/** What stands first in the list, and is shown when nothing is chosen. */
export const firstName = groups[0]!.entries[0]!.name;

/** Groups with the lines in which all words occur; groups without one are left out. */
export function searchGroups(words: string): ListGroup[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return groups
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter(({ text }) => wanted.every((word) => text.includes(word))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** The operation or stream of a name. */
export const findOperation = (name: string): OperationEntry | undefined =>
  operationGroups.flatMap(({ entries }) => entries).find((entry) => entry.name === name);

/** The shape of a name. */
export const findShape = (name: string): ShapeEntry | undefined =>
  shapes.find((shape) => shape.name === name);

function listOperation(entry: OperationEntry): ListEntry {
  const { name, method, path, summary, isStream, input } = entry;
  const text = [name, method, path, summary, ...input.map((field) => field.name)].join(' ');
  return { name, kind: isStream ? 'SSE' : method, text: text.toLowerCase() };
}

function listShape({ name, fields }: ShapeEntry): ListEntry {
  return {
    name,
    kind: '',
    text: [name, ...fields.map((field) => field.name)].join(' ').toLowerCase(),
  };
}
