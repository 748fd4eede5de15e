import { FolderOpen, SquareTerminal } from 'lucide-react';
import { toAppError } from '../../../core/base/errors.ts';
import { useBridge } from '../../api/bridge.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { openTerminal, type TerminalPlace } from './terminal-store.ts';

/** Terminals where a step or a run works: in the window, and that of the system. Nothing in a browser. */
export function TerminalButtons({ name, dagRunId, step }: TerminalPlace) {
  const { desktop } = useBridge();
  if (desktop === undefined) return null;
  const place = { name, dagRunId, ...(step !== undefined && { step }) };
  const openHere = (): void =>
    void desktop
      .call('terminal.openHere', place)
      .catch((thrown: unknown) => showToast('error', toAppError(thrown).message));
  return (
    <>
      <IconButton
        size="small"
        icon={SquareTerminal}
        label="Open a terminal"
        onPress={() => openTerminal(place)}
      />
      <IconButton
        size="small"
        icon={FolderOpen}
        label="Open the system’s terminal in the folder"
        onPress={openHere}
      />
    </>
  );
}
