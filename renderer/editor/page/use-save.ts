import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { queryKeys } from '../../api/query-keys.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import type { FileSync, FileView } from '../save/file-sync.ts';
import { useEditorSession } from '../session/use-session.ts';

export interface SaveControl {
  readonly file: FileView;
  /** Writes the file. */
  readonly begin: () => void;
  /** Shows first what would be written. */
  readonly review: () => void;
}

export const useFileView = (sync: FileSync): FileView =>
  useSyncExternalStore(sync.subscribe, () => sync.view);

/** Saving, with what the rest of the window has to hear of it. */
export function useSave(sync: FileSync): SaveControl {
  const cache = useQueryClient();
  const session = useEditorSession();
  const file = useFileView(sync);
  const begin = useCallback(() => {
    if (!session.view.isDirty) return;
    void sync.save().then((isWritten) => {
      if (!isWritten) return;
      showToast('info', 'Saved.');
      void cache.invalidateQueries({ queryKey: queryKeys.dag(session.fileName) });
      void cache.invalidateQueries({ queryKey: queryKeys.dags });
    });
  }, [cache, session, sync]);
  return { file, begin, review: begin };
}
