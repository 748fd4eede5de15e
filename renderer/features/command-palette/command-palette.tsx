import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { navigationShortcutId } from '../../app/keys/bindings.ts';
import { type KeyHandlers, useKeys } from '../../app/keys/use-keys.ts';
import { paths } from '../../app/paths.ts';
import { toggleTheme } from '../../app/toggle-theme.ts';
import { useVisibleNavigationItems } from '../../app/use-navigation-items.ts';
import { useStartRun } from '../start/use-start-run.tsx';
import { showWindow, useOpenWindow } from './palette-store.ts';
import { lazyComponent } from '../../loading/lazy-part.ts';

const PaletteDialog = lazyComponent(async () => (await import('./palette-dialog.tsx')).PaletteDialog);
const KeysDialog = lazyComponent(async () => (await import('./keys-dialog.tsx')).KeysDialog);

/** Handles the global shortcuts and renders the two windows that they open. */
export function CommandPalette() {
  const open = useOpenWindow((state) => state.open);
  const [location, go] = useLocation();
  const starting = useStartRun();
  const visibleItems = useVisibleNavigationItems();
  const handlers: KeyHandlers = {
    palette: () => showWindow(open === 'palette' ? undefined : 'palette'),
    help: () => showWindow('keys'),
    new: () => go(paths.newWorkflow()),
    theme: toggleTheme,
    ...Object.fromEntries(visibleItems.map((item) => [navigationShortcutId(item), () => go(item.href)])),
  };
  useKeys(handlers, location.endsWith('/edit'));
  const close = (): void => showWindow(undefined);
  return (
    <Suspense fallback={null}>
      {open === 'palette' && <PaletteDialog onClose={close} go={go} start={starting.begin} />}
      {open === 'keys' && <KeysDialog onClose={close} go={go} />}
      {starting.dialog}
    </Suspense>
  );
}
