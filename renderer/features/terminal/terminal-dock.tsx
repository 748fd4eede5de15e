// A file of its own: part of the first load, unlike the terminal.
import { Suspense } from 'react';
import { useTerminals } from './terminal-store.tsx';
import { lazyComponent } from '../../base/lazy-component.ts';

// The terminal is a large library that most windows never need.
const TerminalPanel = lazyComponent(async () => (await import('./terminal-panel.tsx')).TerminalPanel);

/** The terminal panel below the page; renders nothing while no terminal is open. */
export function TerminalDock() {
  const isOpen = useTerminals(({ tabs }) => tabs.length > 0);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <TerminalPanel />
    </Suspense>
  );
}
