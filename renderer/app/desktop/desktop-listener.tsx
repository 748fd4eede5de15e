import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WindowNotice } from '../../../core/contract/desktop/messages.ts';
import { useBridge } from '../../api/bridge.ts';
import { desktopSettingsKey } from '../../api/desktop-queries.ts';
import { showWindow } from '../../features/command-palette/palette-store.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { navigate } from '../address.ts';

/** Does in the window what the desktop app around it asks for. */
export function DesktopListener() {
  const { desktop } = useBridge();
  const cache = useQueryClient();
  useEffect(
    () =>
      desktop?.follow((message) => {
        if (message.kind === 'notice') showNotice(message.notice);
        else if (message.kind === 'open_palette') showWindow('palette');
        else if (message.kind === 'settings_changed')
          cache.setQueryData(desktopSettingsKey, message.settings);
      }),
    [desktop, cache],
  );
  return null;
}

function showNotice({ tone, text, address }: WindowNotice): void {
  const open = address === undefined || address === '' ? undefined : () => navigate(address);
  showToast(tone, text, open && { label: 'Open', run: open });
}
