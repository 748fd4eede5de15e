import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { renameSubWorkflows } from '../../edit/workflow-fields.ts';
import type { LibraryEntry } from '../../home/library/workflow-library.ts';
import { getName } from './dag-list.ts';

/** Steps and handlers of a workflow file that run another one. */
export interface WorkflowReference {
  readonly entry: LibraryEntry;
  readonly steps: readonly string[];
}

/** Finds the steps of other files that run a workflow. Expressions, which have a value only in a run, are ignored. */
export function findReferences(
  target: LibraryEntry,
  entries: readonly LibraryEntry[],
): readonly WorkflowReference[] {
  const isNameFree = isOnlyName(target, entries);
  return entries.flatMap((entry) => {
    if (entry.fileName === target.fileName) return [];
    const local = localNames(entry);
    const steps = entry.spec.workflows.flatMap((workflow) =>
      [
        ...workflow.steps.map(({ name, action }) => ({ name, action })),
        ...Object.entries(workflow.handlers).map(([name, { action }]) => ({ name, action })),
      ].flatMap(({ name, action }) =>
        action.kind === 'dag' && readsTarget(action.dag, { entry, local, target, isNameFree }) !== undefined
          ? [name]
          : [],
      ),
    );
    return steps.length === 0 ? [] : [{ entry, steps }];
  });
}

/**
 * Changes the steps that run a renamed workflow.
 * @param save stores the changed text of a file
 * @returns the changed files, or why one could not be changed
 */
export async function updateReferences(
  before: LibraryEntry,
  after: LibraryEntry,
  references: readonly WorkflowReference[],
  save: (entry: LibraryEntry, text: string) => Promise<unknown>,
): Promise<{ fileName: string; steps: string[]; error?: string }[]> {
  const results = [];
  for (const { entry } of references) {
    const local = localNames(entry);
    const { steps, ...edited } = renameSubWorkflows(entry.spec.text, (written) => {
      const kind = readsTarget(written, { entry, local, target: before, isNameFree: true });
      if (kind === 'name') return getName(after) === getName(before) ? undefined : getName(after);
      return kind === undefined ? undefined : replaceFileName(written, after.fileName);
    });
    const { fileName } = entry;
    try {
      if ('reason' in edited) throw new AppError('invalid_spec', edited.reason);
      await save(entry, edited.text);
      results.push({ fileName, steps: [...steps] });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ fileName, steps: [...steps], error: error.message });
    }
  }
  return results;
}

const extension = /\.ya?ml$/;

/** Returns how the `run` of a step refers to a file, as in `findSubWorkflow`; undefined if it does not. */
function readsTarget(
  written: string,
  {
    entry,
    local,
    target,
    isNameFree,
  }: {
    readonly entry: LibraryEntry;
    readonly local: ReadonlySet<string>;
    readonly target: LibraryEntry;
    /** Whether no file has the name of the workflow. */
    readonly isNameFree: boolean;
  },
): 'file' | 'name' | undefined {
  if (/[$`]/.test(written) || local.has(written)) return undefined;
  if (written.replace(extension, '') === target.fileName) return 'file';
  const file = path.resolve(path.dirname(entry.file), written);
  if (/[/\\]/.test(written) && [file, `${file}.yaml`, `${file}.yml`].includes(target.file)) return 'file';
  return isNameFree && written === getName(target) ? 'name' : undefined;
}

/** Keeps the folder and the extension of a path. */
function replaceFileName(written: string, fileName: string): string {
  const end = extension.exec(written)?.[0] ?? '';
  const start = Math.max(written.lastIndexOf('/'), written.lastIndexOf('\\')) + 1;
  return written.slice(0, start) + fileName + end;
}

const localNames = ({ spec }: LibraryEntry): ReadonlySet<string> =>
  new Set(spec.workflows.map(({ name }) => name));

/** Whether a step that names the workflow of a file means this file. */
const isOnlyName = (target: LibraryEntry, entries: readonly LibraryEntry[]): boolean =>
  !entries.some(
    (entry) =>
      entry.fileName !== target.fileName &&
      (entry.fileName === getName(target) || getName(entry) === getName(target)),
  );
