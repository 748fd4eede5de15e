import { FileClock, FolderOpen } from 'lucide-react';
import { useBridge } from '../../api/bridge.ts';
import { useDesktopQuery } from '../../api/queries/desktop/desktop-system-queries.ts';
import type { Entry } from './entries.ts';

/** Entries that open files, in the desktop app only: a file dialog, and recent files. */
export function useFileEntries(): readonly Entry[] {
  const { desktop } = useBridge();
  const recent = useDesktopQuery('files.recent').data?.files ?? [];
  if (desktop === undefined) return [];
  return [
    {
      id: 'open file',
      title: 'Open workflow file…',
      icon: FolderOpen,
      words: 'yaml import',
      run: () => void desktop.call('files.open', {}),
    },
    ...recent.map(({ path, name }) => ({
      id: `recent ${path}`,
      title: `Open ${name}`,
      note: path,
      icon: FileClock,
      words: 'recent file',
      run: () => void desktop.call('files.openRecent', { path }),
    })),
  ];
}
