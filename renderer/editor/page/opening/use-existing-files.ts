import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useBridge } from '../../../api/bridge.ts';

/** How often to check whether a missing file exists now. */
const pollIntervalMs = 10_000;
/** Size of one page; if there are more workflows, a name that is not on it may exist nevertheless. */
const maxDags = 1000;

interface ExistingFiles {
  /** Names of existing files, which can be requested. */
  readonly there: readonly string[];
  readonly missing: readonly string[];
}

/**
 * Returns which of the names are existing workflow files; a name is in neither list while that is unknown.
 * Requesting a missing file would log an error in the browser console.
 */
export function useExistingFiles(names: readonly string[]): ExistingFiles {
  const bridge = useBridge();
  const { data: listed } = useQuery({
    queryKey: ['workflow-files'],
    queryFn: async () => {
      const { dags, nextCursor } = await bridge.call('dags.list', { limit: maxDags });
      return { fileNames: dags.map(({ fileName }) => fileName), isWhole: nextCursor === undefined };
    },
    enabled: names.length > 0,
    refetchInterval: ({ state }) =>
      names.every((name) => state.data?.fileNames.includes(name)) ? false : pollIntervalMs,
  });
  return useMemo(() => {
    const isMissing = (name: string): boolean => listed?.isWhole === true && !listed.fileNames.includes(name);
    return {
      there: listed ? names.filter((name) => !isMissing(name)) : [],
      missing: names.filter(isMissing),
    };
  }, [listed, names]);
}
