import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { WindowNotice } from '../../core/contract/desktop-calls.ts';
import {
  useChangeDesktopSettings,
  useDesktopSettings,
  desktopSettingsKey,
  desktopQueryKey,
} from '../api/desktop-queries.ts';
import { usePreferences } from '../base/preferences.ts';
import { useBridge } from '../api/bridge.ts';
import { showWindow } from '../navigation/actions.ts';
import { usePendingFiles } from '../features/new-workflow/dropped-files.tsx';
import { showToast } from '../ui/toasts.tsx';
import { navigate, paths } from '../navigation/address.ts';

/** Reports the displayed time zone to the desktop app, which uses it for quiet hours without their own zone. */
function useServerTimeZone(): void {
  const { timeZone } = usePreferences();
  const serverZone = useDesktopSettings().data?.notifications.viewZone;
  const { mutate } = useChangeDesktopSettings();
  const zone = timeZone === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone;
  useEffect(() => {
    if (serverZone !== undefined && serverZone !== zone) mutate({ notifications: { viewZone: zone } });
  }, [serverZone, zone, mutate]);
}

/** Handles requests of the desktop app in the window. */
export function DesktopListener() {
  const { desktop } = useBridge();
  const cache = useQueryClient();
  useServerTimeZone();
  useEffect(
    () =>
      desktop?.follow((message) => {
        if (message.kind === 'notice') showNotice(message.notice);
        else if (message.kind === 'open_palette') showWindow('palette');
        else if (message.kind === 'settings_changed')
          cache.setQueryData(desktopSettingsKey, message.settings);
        else if (message.kind === 'file') takeOpenedFile(message);
        else if (message.kind === 'recent_changed')
          void cache.invalidateQueries({ queryKey: desktopQueryKey('files.recent') });
        else if (message.kind === 'update_changed')
          void cache.invalidateQueries({ queryKey: desktopQueryKey('updates.get') });
      }),
    [desktop, cache],
  );
  return null;
}

function showNotice({ tone, text, address }: WindowNotice): void {
  const open = address === undefined || address === '' ? undefined : () => navigate(address);
  showToast(tone, text, open && { label: 'Open', run: open });
}

/** Opens the file on the page that creates workflows from files, where nothing is saved without a click. */
function takeOpenedFile({ fileName, text }: { readonly fileName: string; readonly text: string }): void {
  usePendingFiles.setState({ files: [{ fileName, text, way: 'yaml' }] });
  navigate(paths.newWorkflow('yaml'));
}
