import { useCallback } from 'react';
import { useLocation } from 'wouter';
import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import { useBridge } from '../../../api/bridge.ts';
import { useMay } from '../../../api/session/permissions.ts';
import { paths } from '../../../app/paths.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { useHandedOver } from './handed-over.ts';
import { noteTaken, takeFiles, type TakenFile } from './take-file.ts';

/**
 * Shows files: a workflow of the home in the editor, what a workflow can be made of on the page for that. Of others a
 * toast says why not.
 */
export function useTakeFiles(): (dropped: readonly File[]) => Promise<void> {
  const bridge = useBridge();
  const [, navigate] = useLocation();
  const may = useMay('dags.create');
  const refusal = may.allowed ? undefined : (may.reason ?? 'You do not have permission to create workflows.');
  return useCallback(
    async (dropped) => {
      const files = await takeFiles(dropped);
      const [first] = files;
      if (first === undefined) return;
      const own = files.length === 1 ? await findOwn(bridge, first) : undefined;
      if (own === undefined && refusal !== undefined) return showToast('error', refusal);
      noteTaken(bridge, dropped, files);
      if (own !== undefined) return navigate(paths.editor(own));
      useHandedOver.setState({ files });
      navigate(paths.newWorkflow(first.way));
    },
    [bridge, navigate, refusal],
  );
}

/** The workflow of the home with that name and that text, if there is one: a page knows of no file where it lies. */
async function findOwn(bridge: Bridge, { fileName, text, way }: TakenFile): Promise<string | undefined> {
  if (way !== 'yaml') return undefined;
  const name = fileName.replace(/\.ya?ml$/i, '');
  try {
    // Asking for one that is not there would be an error that a browser notes.
    const { dags } = await bridge.call('dags.list', { name });
    if (!dags.some(({ fileName: known }) => known === name)) return undefined;
    return (await bridge.call('dags.get', { fileName: name })).spec === text ? name : undefined;
  } catch {
    // A name that no workflow can have.
    return undefined;
  }
}
