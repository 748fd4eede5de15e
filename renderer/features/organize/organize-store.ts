import { create } from 'zustand';
import type { DagSummaryView } from '../../../core/contract/dags.ts';

/** A workflow that the user changes as a whole; `hash` is the version of the file that the user has seen. */
export type WorkflowTarget = Pick<
  DagSummaryView,
  'fileName' | 'name' | 'folder' | 'hash' | 'tags' | 'group' | 'latestRun'
>;

/** What a dialog changes; those of `batchKinds` also several workflows at once. */
export type OrganizeKind = 'rename' | 'duplicate' | 'move' | 'tags' | 'group' | 'queue' | 'delete';

interface OpenDialog {
  readonly kind: OrganizeKind;
  readonly dags: readonly WorkflowTarget[];
}

/** The open dialog of all pages, rendered once in the application. */
export const useOrganizeDialog = create<{ readonly open: OpenDialog | undefined }>(() => ({
  open: undefined,
}));

/** Opens a dialog for one workflow, or for several at once. */
export function organize(kind: OrganizeKind, dags: readonly WorkflowTarget[]): void {
  if (dags.length > 0) useOrganizeDialog.setState({ open: { kind, dags } });
}

export const closeOrganizeDialog = (): void => useOrganizeDialog.setState({ open: undefined });

/** Returns how a dialog calls the workflows: the name of one, or their number. */
export const formatTargets = (dags: readonly Pick<WorkflowTarget, 'name'>[]): string =>
  dags.length === 1 ? dags[0]!.name : `${dags.length} workflows`;

/** Lists a folder and those around it: `a` and `a/b` for `a/b`. */
export const listParents = (folder: string): string[] =>
  folder === '' ? [] : folder.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
