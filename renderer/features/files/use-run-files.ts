import { FileJson, SquareTerminal } from 'lucide-react';
import type { RunRef } from '../../../core/model/run/run.ts';
import type { MenuAction } from '../../ui/overlay/menu.tsx';
import { openTerminal } from '../terminal/terminal-store.ts';
import { useSaveCopy } from './use-save-copy.ts';

/** Desktop actions on a whole run; empty in a browser. */
export function useRunFiles({ name, dagRunId }: RunRef): readonly MenuAction[] {
  const saveCopy = useSaveCopy();
  if (saveCopy === undefined) return [];
  return [
    {
      id: 'save run',
      label: 'Save run as JSON…',
      icon: FileJson,
      run: () => void saveCopy({ kind: 'run', name, dagRunId }),
      beginsGroup: true,
    },
    {
      id: 'terminal',
      label: 'Open terminal here',
      icon: SquareTerminal,
      run: () => openTerminal({ name, dagRunId }),
    },
  ];
}
