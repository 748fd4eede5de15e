import { create } from 'zustand';
import type { TerminalPlace } from '../../../core/contract/desktop/system-calls.ts';

/** A terminal of this window. */
export interface TerminalTab {
  /** Of this window; not that of the app, which is known once it has been started. */
  readonly key: number;
  readonly place: TerminalPlace;
}

interface Terminals {
  readonly tabs: readonly TerminalTab[];
  readonly shown: number | undefined;
}

let lastKey = 0;

/** The terminals that are open, and the one that is seen. */
export const useTerminals = create<Terminals>(() => ({ tabs: [], shown: undefined }));

export function openTerminal(place: TerminalPlace): void {
  lastKey += 1;
  const key = lastKey;
  useTerminals.setState(({ tabs }) => ({ tabs: [...tabs, { key, place }], shown: key }));
}

/** What it is called: the step, the run's workflow, or the workflow's file. */
export const titleOf = (place: TerminalPlace): string =>
  'fileName' in place ? place.fileName : (place.step ?? place.name);

export function closeTerminal(key: number): void {
  useTerminals.setState(({ tabs, shown }) => {
    const left = tabs.filter((tab) => tab.key !== key);
    return { tabs: left, shown: shown === key ? left.at(-1)?.key : shown };
  });
}
