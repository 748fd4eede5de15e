import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useBridge } from '../../../api/bridge.ts';
import { paths } from '../../../app/paths.ts';
import { usePendingFiles } from './handed-over.ts';
import { recordRecentFiles, readDroppedFiles, type ImportedFile } from './take-file.ts';
import type { NewWorkflow } from '../use-new-workflow.ts';
import type { SourceKind } from '../ways.ts';

/** Several dropped files, from which workflows are created one after the other. */
export interface WaitingFiles {
  /** Names of the remaining files. */
  readonly names: readonly string[];
  /** Accepts dropped files: the first immediately, the others after it. */
  readonly drop: (files: readonly File[]) => Promise<void>;
  /** Continues with the next file. @returns false if there is none */
  readonly next: () => boolean;
}

export function useWaitingFiles(way: SourceKind, { takeText }: Pick<NewWorkflow, 'takeText'>): WaitingFiles {
  const bridge = useBridge();
  const [, navigate] = useLocation();
  // The page starts with the first file that was dropped elsewhere.
  const [waiting, setWaiting] = useState<readonly ImportedFile[]>(() =>
    usePendingFiles.getState().files.slice(1),
  );
  const begin = useCallback(
    ([first, ...others]: readonly ImportedFile[]): boolean => {
      setWaiting(others);
      if (first === undefined) return false;
      takeText(first.way, { fileName: first.fileName, text: first.text });
      navigate(paths.newWorkflow(first.way), { replace: true });
      return true;
    },
    [takeText, navigate],
  );
  useEffect(() => {
    usePendingFiles.setState({ files: [] });
    // Files can also arrive while the page is open, from the system or dropped next to the page.
    return usePendingFiles.subscribe(({ files }) => {
      if (files.length === 0) return;
      usePendingFiles.setState({ files: [] });
      begin(files);
    });
  }, [begin]);
  return {
    names: waiting.map(({ fileName }) => fileName),
    async drop(files) {
      const taken = await readDroppedFiles(files, way === 'blank' || way === 'template' ? undefined : way);
      if (taken.length === 0) return;
      recordRecentFiles(bridge, files, taken);
      begin(taken);
    },
    next: () => begin(waiting),
  };
}
