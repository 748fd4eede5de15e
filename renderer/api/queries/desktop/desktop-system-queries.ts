import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  DesktopCallName,
  DesktopInput,
  DesktopOutput,
} from '../../../../core/contract/desktop/calls.ts';
import { showError } from '../../../ui/overlay/show-error.ts';
import { useBridge } from '../../bridge.ts';

/** State of a service of the desktop app; refetched whenever a view opens. */
type Reading =
  | 'service.status'
  | 'keychain.list'
  | 'login.get'
  | 'command.get'
  | 'updates.get'
  | 'files.recent';

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
