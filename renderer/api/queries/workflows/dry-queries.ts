import { useQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';

/**
 * A dry run of the file or of a text in its place. It is fetched once and cached only while shown: it depends
 * on files that change without an event, and may run commands.
 */
export function useDryRun(
  options: OperationInput<'dags.dry'> & Partial<Pick<OperationInput<'runs.dry'>, 'spec'>>,
) {
  const bridge = useBridge();
  const { spec, ...ofFile } = options;
  return useQuery({
    queryKey: queryKeys.dryRun(options),
    queryFn: () =>
      spec === undefined ? bridge.call('dags.dry', ofFile) : bridge.call('runs.dry', { ...ofFile, spec }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}
