import { create } from 'zustand';
import { FolderOpen, SquareTerminal } from 'lucide-react';
import type { TerminalLocation } from '../../../core/contract/desktop-calls.ts';
import { useBridge } from '../../api/bridge.ts';
import { IconButton } from '../../ui/button.tsx';
import { showError } from '../../ui/toasts.tsx';

/** A terminal of this window. */
export interface TerminalTab {
  /** Key in this window; the app's id is known only after it has started. */
  readonly key: number;
  readonly location: TerminalLocation;
}

interface Terminals {
  readonly tabs: readonly TerminalTab[];
  readonly activeTab: number | undefined;
}

let lastKey = 0;

/** The open terminals, and the visible one. */
export const useTerminals = create<Terminals>(() => ({ tabs: [], activeTab: undefined }));

export function openTerminal(location: TerminalLocation): void {
  lastKey += 1;
  const key = lastKey;
  useTerminals.setState(({ tabs }) => ({ tabs: [...tabs, { key, location }], activeTab: key }));
}

/** Returns its title: the step, the run's workflow, or the workflow's file. */
export const getTitle = (location: TerminalLocation): string =>
  'fileName' in location ? location.fileName : (location.step ?? location.name);

export function closeTerminal(key: number): void {
  useTerminals.setState(({ tabs, activeTab }) => {
    const remaining = tabs.filter((tab) => tab.key !== key);
    return { tabs: remaining, activeTab: activeTab === key ? remaining.at(-1)?.key : activeTab };
  });
}

/**
 * Opens terminals in the working directory of a step, run or workflow: in the window, or the system's terminal.
 * Nothing in a browser.
 */
export function TerminalButtons({ location }: { readonly location: TerminalLocation }) {
  const { desktop } = useBridge();
  if (desktop === undefined) return null;
  const openHere = (): void => void desktop.call('terminal.openHere', { place: location }).catch(showError);
  return (
    <>
      <IconButton
        size="small"
        icon={SquareTerminal}
        label="Open terminal"
        onPress={() => openTerminal(location)}
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
