import { useQuery } from '@tanstack/react-query';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { useBridge } from './bridge.ts';
import { queryKeys } from './query-keys.ts';
import { useSystemChanges } from './use-system-changes.ts';

/** Maximum number of versions in a list. */
const maxVersions = 100;

/** The versions of a workflow file, newest first. */
export function useVersions(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.versions(fileName),
    queryFn: () => bridge.call('versions.list', { fileName, limit: maxVersions }),
    staleTime: 0,
  });
}

/** One version with its text; disabled without an id. */
export function useVersion(fileName: string, id: number | undefined) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.version(fileName, id ?? 0),
    queryFn: () => bridge.call('versions.get', { fileName, versionId: id! }),
    enabled: id !== undefined,
    // A version never changes.
    staleTime: Infinity,
  });
}

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
