import { useQuery } from '@tanstack/react-query';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { useBridge } from '../../bridge.ts';
import { useSystemChanges } from '../../live/use-system-changes.ts';
import { queryKeys } from '../query-keys.ts';

/** Files change on disk without an event. */
const refreshMs = 10_000;

/**
 * The error of the base configuration, which prevents every run. It does not belong to an edited text; the
 * engine reports it with any text that it validates.
 */
export function useBaseConfigIssue(): Diagnostic | undefined {
  const bridge = useBridge();
  useSystemChanges('dags', queryKeys.baseConfigIssue);
  return (
    useQuery({
      queryKey: queryKeys.baseConfigIssue,
      queryFn: async (): Promise<Diagnostic | null> => {
        const { baseDiagnostics } = await bridge.call('dags.validate', { spec: '' });
        return baseDiagnostics.find(({ severity }) => severity === 'error') ?? null;
      },
      refetchInterval: refreshMs,
    }).data ?? undefined
  );
}
