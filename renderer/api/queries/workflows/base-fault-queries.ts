import { useQuery } from '@tanstack/react-query';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { useBridge } from '../../bridge.ts';
import { useSystemChanges } from '../../live/use-system-changes.ts';
import { queryKeys } from '../query-keys.ts';

/** Files change on disk without an event. */
const refreshMs = 10_000;

/**
 * What is wrong with the base configuration of the home, which keeps everything from being run. It is not part of any
 * text that is edited: the engine tells of it with whatever text it checks.
 */
export function useBaseFault(): Diagnostic | undefined {
  const bridge = useBridge();
  useSystemChanges('dags', queryKeys.baseFault);
  return (
    useQuery({
      queryKey: queryKeys.baseFault,
      queryFn: async (): Promise<Diagnostic | null> => {
        const { baseDiagnostics } = await bridge.call('dags.validate', { spec: '' });
        return baseDiagnostics.find(({ severity }) => severity === 'error') ?? null;
      },
      refetchInterval: refreshMs,
    }).data ?? undefined
  );
}
