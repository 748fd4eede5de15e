import { lazy, Suspense } from 'react';
import { useTerminals } from './terminal-store.ts';

// The terminal is a large program of its own, which most windows never need.
const TerminalPanel = lazy(async () => ({ default: (await import('./terminal-panel.tsx')).TerminalPanel }));

/** The place for terminals below the page; nothing while none is open. */
export function TerminalDock() {
  const isOpen = useTerminals(({ tabs }) => tabs.length > 0);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <TerminalPanel />
    </Suspense>
  );
}
