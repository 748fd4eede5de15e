import { FolderOpen, SquareTerminal } from 'lucide-react';
import type { TerminalLocation } from '../../../core/contract/desktop/system-calls.ts';
import { useBridge } from '../../api/bridge.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { showError } from '../../ui/overlay/show-error.ts';
import { openTerminal } from './terminal-store.ts';

/**
 * Opens terminals in the working directory of a step, run or workflow: in the window, or the system's terminal.
 * Nothing in a browser.
 */
export function TerminalButtons({ place }: { readonly place: TerminalLocation }) {
  const { desktop } = useBridge();
  if (desktop === undefined) return null;
  const openHere = (): void => void desktop.call('terminal.openHere', { place }).catch(showError);
  return (
    <>
      <IconButton
        size="small"
        icon={SquareTerminal}
        label="Open terminal"
        onPress={() => openTerminal(place)}
      />
      <IconButton
        size="small"
        icon={FolderOpen}
        label="Open system terminal in this folder"
        onPress={openHere}
      />
    </>
  );
}
