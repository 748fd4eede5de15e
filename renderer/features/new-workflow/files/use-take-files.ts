import { useCallback } from 'react';
import { useLocation } from 'wouter';
import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import { useBridge } from '../../../api/bridge.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { paths } from '../../../app/paths.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { usePendingFiles } from './handed-over.ts';
import { recordRecentFiles, readDroppedFiles, type ImportedFile } from './take-file.ts';

/**
 * Opens files: a workflow of the home directory in the editor, others on the page that creates workflows from
 * them. A toast explains why a file was not accepted.
 */
export function useOpenFiles(): (dropped: readonly File[]) => Promise<void> {
  const bridge = useBridge();
  const [, navigate] = useLocation();
  const may = useCan('dags.create');
  const error = may.allowed ? undefined : (may.reason ?? 'You do not have permission to create workflows.');
  return useCallback(
    async (dropped) => {
      const files = await readDroppedFiles(dropped);
      const [first] = files;
      if (first === undefined) return;
      const existing = files.length === 1 ? await findExistingWorkflow(bridge, first) : undefined;
      if (existing === undefined && error !== undefined) return showToast('error', error);
      recordRecentFiles(bridge, dropped, files);
      if (existing !== undefined) return navigate(paths.editor(existing));
      usePendingFiles.setState({ files });
      navigate(paths.newWorkflow(first.way));
    },
    [bridge, navigate, error],
  );
}

/**
 * Finds the workflow of the home directory with the same name and text, because a page does not know the path
 * of a file.
 */
async function findExistingWorkflow(
  bridge: Bridge,
  { fileName, text, way }: ImportedFile,
): Promise<string | undefined> {
  if (way !== 'yaml') return undefined;
  const name = fileName.replace(/\.ya?ml$/i, '');
  try {
    // Requesting a missing workflow would log an error in the browser console.
    const { dags } = await bridge.call('dags.list', { name });
    if (!dags.some(({ fileName: known }) => known === name)) return undefined;
    return (await bridge.call('dags.get', { fileName: name })).spec === text ? name : undefined;
  } catch {
    // Not a valid workflow name.
    return undefined;
  }
}
