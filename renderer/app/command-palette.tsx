// A file of its own: part of the first load, unlike the dialogs that it opens.
import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { navigationShortcutId, type KeyHandlers, useKeys } from '../navigation/key-bindings.ts';
import { paths } from '../navigation/address.ts';
import { toggleTheme } from '../base/preferences.ts';
import { useVisibleNavigationItems, showWindow, useOpenWindow } from '../navigation/navigation-items.ts';
import { useStartRun } from '../features/start/start-dialog.tsx';
import { lazyComponent } from '../base/lazy-component.ts';

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
