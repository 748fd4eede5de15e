import { create } from 'zustand';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { toAppError } from '../../../core/base/errors.ts';
import { pluralize } from '../../../core/base/text.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { showError, showToast } from '../../ui/toasts.tsx';

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

/** Failures of a change of several workflows. */
export interface OrganizeFailure {
  readonly dag: WorkflowTarget;
  readonly error: Error;
}

/** Applies a change to workflows one after another, and keeps those in the dialog for which it has failed. */
export function useOrganize(dags: readonly WorkflowTarget[]) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [failures, setFailures] = useState<readonly OrganizeFailure[]>([]);
  const [isPending, setPending] = useState(false);
  const remaining = failures.length > 0 ? failures.map(({ dag }) => dag) : dags;
  const apply = async (
    change: (dag: WorkflowTarget, bridge: Bridge) => Promise<unknown>,
    onDone: (done: readonly WorkflowTarget[]) => void,
  ): Promise<void> => {
    setPending(true);
    const failed: OrganizeFailure[] = [];
    const done: WorkflowTarget[] = [];
    for (const dag of remaining)
      try {
        await change(dag, bridge);
        done.push(dag);
      } catch (error) {
        failed.push({ dag: withCurrentHash(dag, error), error: error as Error });
      }
    await Promise.all([
      cache.invalidateQueries({ queryKey: queryKeys.dags }),
      cache.invalidateQueries({ queryKey: ['references'] }),
      ...done.map(({ fileName }) => cache.invalidateQueries({ queryKey: queryKeys.dag(fileName) })),
    ]);
    setPending(false);
    setFailures(failed);
    if (done.length > 0) onDone(done);
    if (failed.length === 0) closeOrganizeDialog();
  };
  return { apply, isPending, failures, remaining };
}

/** After a conflict, the next attempt is about the current file, because the dialog says that it has changed. */
export function withCurrentHash(dag: WorkflowTarget, error: unknown): WorkflowTarget {
  const { code, details } = toAppError(error);
  const hash = details?.['hash'];
  return code === 'conflict' && typeof hash === 'string' ? { ...dag, hash } : dag;
}

/**
 * Offers to undo a deletion. Runs are deleted after that, so that they stay if the window is closed before.
 * @param runs names of the runs to delete
 */
export function offerUndo(
  dags: readonly WorkflowTarget[],
  {
    bridge,
    runs,
    onRestored,
  }: {
    readonly bridge: Bridge;
    readonly runs: readonly string[];
    readonly onRestored: () => void;
  },
): void {
  const restore = async (): Promise<void> => {
    for (const { fileName } of dags) await bridge.call('dags.restore', { fileName });
    onRestored();
    showToast('info', `Restored ${formatTargets(dags)}`);
  };
  const deleteRuns = async (): Promise<void> => {
    let removed = 0;
    for (const name of runs) removed += (await bridge.call('runs.deleteAll', { name })).removed;
    if (removed > 0) showToast('info', `Deleted ${pluralize(removed, 'run')}`);
  };
  showToast('info', `Deleted ${formatTargets(dags)}`, {
    label: 'Undo',
    run: () => void restore().catch(showError),
    onExpire: () => void deleteRuns().catch(showError),
  });
}
