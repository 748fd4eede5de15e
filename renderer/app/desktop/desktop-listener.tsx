import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WindowNotice } from '../../../core/contract/desktop/messages.ts';
import { useBridge } from '../../api/bridge.ts';
import { desktopSettingsKey } from '../../api/queries/desktop/desktop-queries.ts';
import { desktopQueryKey } from '../../api/queries/desktop/desktop-system-queries.ts';
import { showWindow } from '../../features/command-palette/palette-store.ts';
import { usePendingFiles } from '../../features/new-workflow/files/handed-over.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { navigate } from '../address.ts';
import { paths } from '../paths.ts';
import { useServerTimeZone } from './use-server-time-zone.ts';

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
