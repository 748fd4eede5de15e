import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { hashText } from '../../home/library/spec-versions.ts';
import { renameSubWorkflows } from '../../edit/workflow-fields.ts';
import type { LibraryEntry } from '../../home/library/workflow-library.ts';
import { getName } from './dag-list.ts';
import { hasReference } from '../../spec/parse-template.ts';

/** Steps and handlers of a workflow file that run another one. */
export interface WorkflowReference {
  readonly entry: LibraryEntry;
  readonly steps: readonly string[];
  /** Those that refer to it by a path, which depends on the folders of both files. */
  readonly byPath: readonly string[];
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
          ? [{ name, isByPath: isPath(action.dag) }]
          : [],
      ),
    );
    const namesOf = (found: typeof steps): string[] => found.map(({ name }) => name);
    const byPath = namesOf(steps.filter(({ isByPath }) => isByPath));
    return steps.length === 0 ? [] : [{ entry, steps: namesOf(steps), byPath }];
  });
}

/** Returns a value that changes with the references and the files that contain them. */
export const revisionOf = (references: readonly WorkflowReference[]): string =>
  hashText(
    JSON.stringify(references.map(({ entry, steps }) => [entry.fileName, hashText(entry.spec.text), steps])),
  );

/** Returns what a step writes to run a workflow that was renamed or moved; undefined if it need not change. */
export type RewriteReference = (
  written: string,
  /** The file of the step. */
  entry: LibraryEntry,
  kind: 'file' | 'name',
) => string | undefined;

export const rewriteForRename =
  (before: LibraryEntry, after: LibraryEntry): RewriteReference =>
  (written, _entry, kind) => {
    if (kind === 'file') return replaceFileName(written, after.fileName);
    return getName(after) === getName(before) ? undefined : getName(after);
  };

export const rewriteForMove =
  (after: LibraryEntry): RewriteReference =>
  (written, entry) => {
    if (!isPath(written)) return undefined;
    const end = extension.exec(written)?.[0] ?? '';
    const file = after.file.replace(extension, '') + end;
    if (path.isAbsolute(written)) return file;
    const relative = path.relative(path.dirname(entry.file), file).split(path.sep).join('/');
    return relative.startsWith('.') ? relative : `./${relative}`;
  };

/**
 * Changes the steps that run a workflow that was renamed or moved.
 * @param save stores the changed text of a file
 * @returns the changed files, or why one could not be changed
 */
export async function updateReferences(
  before: LibraryEntry,
  references: readonly WorkflowReference[],
  rewrite: RewriteReference,
  save: (entry: LibraryEntry, text: string) => Promise<unknown>,
): Promise<{ fileName: string; steps: string[]; error?: string }[]> {
  const results = [];
  for (const { entry } of references) {
    const local = localNames(entry);
    const { steps, ...edited } = renameSubWorkflows(entry.spec.text, (written) => {
      const kind = readsTarget(written, { entry, local, target: before, isNameFree: true });
      return kind === undefined ? undefined : rewrite(written, entry, kind);
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
/** A step can name a workflow, or the path of its file. */
const isPath = (written: string): boolean => /[/\\]/.test(written);

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
  if (hasReference(written) || local.has(written)) return undefined;
  if (written.replace(extension, '') === target.fileName) return 'file';
  const file = path.resolve(path.dirname(entry.file), written);
  if (isPath(written) && [file, `${file}.yaml`, `${file}.yml`].includes(target.file)) return 'file';
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
