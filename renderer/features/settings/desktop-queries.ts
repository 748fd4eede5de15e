import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  DesktopSettings,
  DesktopSettingsChange,
  DesktopCallName,
  DesktopInput,
  DesktopOutput,
} from '../../../core/contract/desktop-calls.ts';
import { showError } from '../../ui/toasts.tsx';
import { useBridge } from '../../api/bridge.ts';

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

/** State of a service of the desktop app; refetched whenever a view opens. */
type Reading = 'service.status' | 'login.get' | 'command.get' | 'updates.get' | 'files.recent';

export const desktopQueryKey = (name: Reading) => ['desktop', name] as const;

/** Disabled in a browser. */
export function useDesktopQuery<Name extends Reading>(name: Name) {
  const { desktop } = useBridge();
  return useQuery<DesktopOutput<Name>>({
    queryKey: desktopQueryKey(name),
    queryFn: () => desktop!.call(name, {} as DesktopInput<Name>),
    enabled: desktop !== undefined,
    staleTime: 0,
    retry: false,
  });
}

/** Changes a service, whose response is its new state; an error is shown in a toast. */
export function useDesktopChange<Name extends DesktopCallName>(name: Name, reading: Reading) {
  const { desktop } = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: DesktopInput<Name>): Promise<DesktopOutput<Name>> => desktop!.call(name, input),
    onSuccess: (answer) => cache.setQueryData(desktopQueryKey(reading), answer),
    onError: showError,
  });
}
