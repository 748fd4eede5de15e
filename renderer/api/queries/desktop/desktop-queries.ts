import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DesktopSettings, DesktopSettingsChange } from '../../../../core/contract/desktop/settings.ts';
import { showRefusal } from '../../../ui/overlay/show-refusal.ts';
import { useBridge } from '../../bridge.ts';

/** Under which the settings of the desktop app are cached. */
export const desktopSettingsKey = ['desktop', 'settings'] as const;

/** The settings of the desktop app; nothing in a browser. */
export function useDesktopSettings() {
  const { desktop } = useBridge();
  return useQuery({
    queryKey: desktopSettingsKey,
    queryFn: () => desktop!.call('settings.get', {}),
    enabled: desktop !== undefined,
  });
}

/** Changes some of them. */
export function useChangeDesktopSettings() {
  const { desktop } = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (change: DesktopSettingsChange): Promise<DesktopSettings> =>
      desktop!.call('settings.change', { change }),
    onSuccess: (settings) => cache.setQueryData(desktopSettingsKey, settings),
    onError: showRefusal,
  });
}
