import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useBridge } from '../../../api/bridge.ts';

/** How often it is looked whether a file that is missing has come. */
const lookAgainMs = 10_000;
/** Of one page; where there are more, a name that is not on it may be a file all the same. */
const mostDags = 1000;

interface ExistingFiles {
  /** Names that can be asked for. */
  readonly there: readonly string[];
  readonly missing: readonly string[];
}

/**
 * Which of some names are those of workflow files; neither list has a name of which that is not known yet. Asking for a
 * file that there is not would be an error in the browser's log.
 */
export function useExistingFiles(names: readonly string[]): ExistingFiles {
  const bridge = useBridge();
  const { data: listed } = useQuery({
    queryKey: ['workflow-files'],
    queryFn: async () => {
      const { dags, nextCursor } = await bridge.call('dags.list', { limit: mostDags });
      return { fileNames: dags.map(({ fileName }) => fileName), isWhole: nextCursor === undefined };
    },
    enabled: names.length > 0,
    refetchInterval: ({ state }) =>
      names.every((name) => state.data?.fileNames.includes(name)) ? false : lookAgainMs,
  });
  return useMemo(() => {
    const isMissing = (name: string): boolean => listed?.isWhole === true && !listed.fileNames.includes(name);
    return {
      there: listed ? names.filter((name) => !isMissing(name)) : [],
      missing: names.filter(isMissing),
    };
  }, [listed, names]);
}
