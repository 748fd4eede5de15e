import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useBridge } from '../../../api/bridge.ts';
import { paths } from '../../../app/paths.ts';
import { useHandedOver } from './handed-over.ts';
import { noteTaken, takeFiles, type TakenFile } from './take-file.ts';
import type { NewWorkflow } from '../use-new-workflow.ts';
import type { Way } from '../ways.ts';

/** Several files that were dropped at once, of which workflows are made one after the other. */
export interface WaitingFiles {
  /** Names of those whose turn is yet to come. */
  readonly names: readonly string[];
  /** Takes files that were dropped: the first at once, the others after it. */
  readonly drop: (files: readonly File[]) => Promise<void>;
  /** Goes on with the next one. @returns false when there is none */
  readonly next: () => boolean;
}

export function useWaitingFiles(way: Way, { takeText }: Pick<NewWorkflow, 'takeText'>): WaitingFiles {
  const bridge = useBridge();
  const [, navigate] = useLocation();
  // The first of those that were dropped elsewhere is what the page begins with.
  const [waiting, setWaiting] = useState<readonly TakenFile[]>(() => useHandedOver.getState().files.slice(1));
  const begin = useCallback(
    ([first, ...others]: readonly TakenFile[]): boolean => {
      setWaiting(others);
      if (first === undefined) return false;
      takeText(first.way, { fileName: first.fileName, text: first.text });
      navigate(paths.newWorkflow(first.way), { replace: true });
      return true;
    },
    [takeText, navigate],
  );
  useEffect(() => {
    useHandedOver.setState({ files: [] });
    // While the page is shown, files come as well: from the system, and beside the page.
    return useHandedOver.subscribe(({ files }) => {
      if (files.length === 0) return;
      useHandedOver.setState({ files: [] });
      begin(files);
    });
  }, [begin]);
  return {
    names: waiting.map(({ fileName }) => fileName),
    async drop(files) {
      const taken = await takeFiles(files, way === 'blank' || way === 'template' ? undefined : way);
      if (taken.length === 0) return;
      noteTaken(bridge, files, taken);
      begin(taken);
    },
    next: () => begin(waiting),
  };
}
