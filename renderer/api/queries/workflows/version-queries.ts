import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';

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
