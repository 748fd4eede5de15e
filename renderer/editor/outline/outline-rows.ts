import type { NodeRef } from '../../../core/edit/text-change.ts';
import {
  type Outline,
  type OutlineDocument,
  type OutlineStep,
  toNodeRef,
} from '../../../core/edit/outline.ts';

/** A row of the tree. */
export interface OutlineRow {
  readonly key: string;
  readonly label: string;
  readonly kind: 'step' | 'handler' | 'group' | 'handlers' | 'document';
  /** For steps and handlers, which the views select. */
  readonly ref?: NodeRef;
  /** Document index of a further workflow. */
  readonly document?: number;
  /** For a step or handler: its type, and its dependencies. */
  readonly action?: string;
  readonly depends?: readonly string[];
  readonly children: readonly OutlineRow[];
}

/** Further workflows are nested below their document. */
export const getRefKey = ({ section, name, document }: NodeRef): string =>
  `${document === undefined ? '' : `${document}/`}${section}:${name}`;

export const getWorkflowKey = (document: number): string => `document:${document}`;

/** The text next to each label, for a step its action on one line; by row key. */
export type RowDetails = ReadonlyMap<string, string>;

/** The rows of the tree, and their details. */
export interface OutlineRows {
  readonly rows: readonly OutlineRow[];
  /** Separate from the rows: typing a command changes only this, so the tree need not be rebuilt. */
  readonly details: RowDetails;
}

/**
 * Builds the tree of a file: the steps of the main workflow with its groups, its handlers, then the further
 * workflows.
 */
export function listRows({ documents: [main, ...others] }: Outline): OutlineRows {
  const details = new Map<string, string>();
  if (!main) return { rows: [], details };
  const rows = [
    ...getDocumentRows(main, '', details),
    ...others.map((document): OutlineRow => {
      const key = getWorkflowKey(document.index);
      details.set(key, 'additional workflow');
      return {
        key,
        label: document.name ?? `Workflow ${document.index + 1}`,
        kind: 'document',
        document: document.index,
        children: getDocumentRows(document, `${document.index}/`, details),
      };
    }),
  ];
  return { rows, details };
}

function getDocumentRows(
  { steps, handlers }: OutlineDocument,
  prefix: string,
  details: Map<string, string>,
): readonly OutlineRow[] {
  const rows: OutlineRow[] = [];
  const toRow = numberRows(details);
  const groups = new Map<number, OutlineRow[]>();
  for (const step of steps) {
    const row = toRow(step);
    if (step.group === undefined) {
      rows.push(row);
      continue;
    }
    const members = groups.get(step.group);
    if (members) {
      members.push(row);
      continue;
    }
    const children = [row];
    groups.set(step.group, children);
    rows.push({
      key: `${prefix}group:${step.group}`,
      label: 'Parallel',
      kind: 'group',
      children,
    });
  }
  if (handlers.length > 0)
    rows.push({
      key: `${prefix}handlers`,
      label: 'Handlers',
      kind: 'handlers',
      children: handlers.map(toRow),
    });
  return rows;
}

/**
 * Builds rows of steps with unique keys, because duplicate keys make the tree loop forever. Of steps with the
 * same name, which is an error, the views know only the first; the others are shown but cannot be selected.
 */
function numberRows(details: Map<string, string>): (step: OutlineStep) => OutlineRow {
  const used = new Set<string>();
  return (step) => {
    const { section, name, detail, kind, depends } = step;
    let key = getRefKey(step);
    const isFirst = !used.has(key);
    while (used.has(key)) key += '\n';
    used.add(key);
    details.set(key, detail);
    return {
      key,
      label: name,
      kind: section,
      action: kind,
      depends,
      ...(isFirst && { ref: toNodeRef(step) }),
      children: [],
    };
  };
}

/** Indexes all rows by key. */
export function indexRows(rows: readonly OutlineRow[]): ReadonlyMap<string, OutlineRow> {
  const all = new Map<string, OutlineRow>();
  const add = (row: OutlineRow): void => {
    all.set(row.key, row);
    row.children.forEach(add);
  };
  rows.forEach(add);
  return all;
}

/** Returns all rows with children; they are initially expanded. */
export const listParents = (rows: readonly OutlineRow[]): readonly string[] =>
  rows.flatMap((row) => (row.children.length > 0 ? [row.key, ...listParents(row.children)] : []));

/** Reuses the previous object of every unchanged row, so that only changed rows rerender. */
export function reuseRows(before: readonly OutlineRow[], now: readonly OutlineRow[]): readonly OutlineRow[] {
  const known = new Map(before.map((row) => [row.key, row]));
  const shared = now.map((row) => shareRow(known.get(row.key), row));
  return shared.length === before.length && shared.every((row, index) => row === before[index])
    ? before
    : shared;
}

function shareRow(before: OutlineRow | undefined, now: OutlineRow): OutlineRow {
  if (!before) return now;
  const children = reuseRows(before.children, now.children);
  const isSame =
    children === before.children &&
    before.label === now.label &&
    before.kind === now.kind &&
    before.action === now.action &&
    isSameList(before.depends, now.depends);
  return isSame ? before : { ...now, children };
}

const isSameList = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a === b || a?.join('\n') === b?.join('\n');
