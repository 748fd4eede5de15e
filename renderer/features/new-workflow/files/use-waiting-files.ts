import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useBridge } from '../../../api/bridge.ts';
import { paths } from '../../../app/paths.ts';
import { useHandedOver } from './handed-over.ts';
import { takenNotice, takeFiles, type TakenFile } from './take-file.ts';
import type { NewWorkflow } from '../use-new-workflow.ts';
import type { Way } from '../ways.ts';

/** Several dropped files, from which workflows are created one after the other. */
export interface WaitingFiles {
  /** Names of the remaining files. */
  readonly names: readonly string[];
  /** Accepts dropped files: the first immediately, the others after it. */
  readonly drop: (files: readonly File[]) => Promise<void>;
  /** Continues with the next file. @returns false if there is none */
  readonly next: () => boolean;
}

export function useWaitingFiles(way: Way, { takeText }: Pick<NewWorkflow, 'takeText'>): WaitingFiles {
  const bridge = useBridge();
  const [, navigate] = useLocation();
  // The page starts with the first file that was dropped elsewhere.
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
    // Files can also arrive while the page is open, from the system or dropped next to the page.
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
      takenNotice(bridge, files, taken);
      begin(taken);
    },
    next: () => begin(waiting),
  };
}
