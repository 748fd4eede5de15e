import type { NodeRef } from '../../../core/edit/edit-result.ts';
import type { Outline, OutlineDocument, OutlineStep } from '../../../core/edit/outline.ts';

/** A row of the tree. */
export interface OutlineRow {
  readonly key: string;
  readonly label: string;
  /** What it does, or how many there are below. */
  readonly detail: string;
  readonly kind: 'step' | 'handler' | 'group' | 'handlers' | 'document';
  /** Only for steps and handlers of the main workflow, which are what the views select. */
  readonly ref?: NodeRef;
  readonly step?: OutlineStep;
  readonly children: readonly OutlineRow[];
}

export const keyOfRef = ({ section, name }: NodeRef): string => `${section}:${name}`;

/** The tree of a file: steps of the main workflow with its groups, its handlers, then the further workflows. */
export function listRows({ documents: [main, ...others] }: Outline): readonly OutlineRow[] {
  if (!main) return [];
  return [
    ...rowsOfDocument(main, ''),
    ...others.map((document): OutlineRow => ({
      key: `document:${document.index}`,
      label: document.name ?? `Workflow ${document.index + 1}`,
      detail: 'further workflow',
      kind: 'document',
      children: rowsOfDocument(document, `${document.index}/`),
    })),
  ];
}

function rowsOfDocument({ steps, handlers }: OutlineDocument, prefix: string): readonly OutlineRow[] {
  const rows: OutlineRow[] = [];
  const groups = new Map<number, OutlineRow[]>();
  for (const step of steps) {
    const row = rowOf(step, prefix);
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
      label: 'Side by side',
      detail: '',
      kind: 'group',
      children,
    });
  }
  if (handlers.length > 0)
    rows.push({
      key: `${prefix}handlers`,
      label: 'Handlers',
      detail: '',
      kind: 'handlers',
      children: handlers.map((handler) => rowOf(handler, prefix)),
    });
  return rows;
}

function rowOf(step: OutlineStep, prefix: string): OutlineRow {
  const { section, name, detail } = step;
  return {
    key: prefix + keyOfRef(step),
    label: name,
    detail,
    kind: section,
    step,
    ...(prefix === '' && { ref: { section, name } }),
    children: [],
  };
}

/** All rows by their key. */
export function indexRows(rows: readonly OutlineRow[]): ReadonlyMap<string, OutlineRow> {
  const all = new Map<string, OutlineRow>();
  const add = (row: OutlineRow): void => {
    all.set(row.key, row);
    row.children.forEach(add);
  };
  rows.forEach(add);
  return all;
}

/** Every row that has others below it, which are all open at first. */
export const listParents = (rows: readonly OutlineRow[]): readonly string[] =>
  rows.flatMap((row) => (row.children.length > 0 ? [row.key, ...listParents(row.children)] : []));
