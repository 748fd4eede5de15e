import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DesktopSettings, DesktopSettingsChange } from '../../../../core/contract/desktop/settings.ts';
import { showError } from '../../../ui/overlay/show-error.ts';
import { useBridge } from '../../bridge.ts';

/** Query key of the desktop app's settings. */
export const desktopSettingsKey = ['desktop', 'settings'] as const;

/** The settings of the desktop app; disabled in a browser. */
export function useDesktopSettings() {
  const { desktop } = useBridge();
  return useQuery({
    queryKey: desktopSettingsKey,
    queryFn: () => desktop!.call('settings.get', {}),
    enabled: desktop !== undefined,
  });
}

/** Changes settings of the desktop app. */
export function useChangeDesktopSettings() {
  const { desktop } = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (change: DesktopSettingsChange): Promise<DesktopSettings> =>
      desktop!.call('settings.change', { change }),
    onSuccess: (settings) => cache.setQueryData(desktopSettingsKey, settings),
    onError: showError,
  });
}
