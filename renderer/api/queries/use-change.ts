import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../../core/contract/operations.ts';
import { useBridge } from '../bridge.ts';

interface ChangeOptions<Name extends OperationName> {
  /** Queries to refetch before the change counts as complete. */
  readonly changed?: (input: OperationInput<Name>) => readonly QueryKey[];
  /** Whether they are also refetched after an error, because the page may be out of date. */
  readonly evenRefused?: true;
  /** Whether the response may contain a secret, which must not stay in memory after its dialog is closed. */
  readonly isSecret?: true;
}

/** A mutation for an operation. */
export function useOperationMutation<Name extends OperationName>(
  name: Name,
  { changed = () => [], evenRefused, isSecret }: ChangeOptions<Name> = {},
) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation<OperationOutput<Name>, Error, OperationInput<Name>>({
    mutationFn: (input) => bridge.call(name, input),
    onSettled: (_answer, error, input) =>
      error === null || evenRefused
        ? Promise.all(changed(input).map((queryKey) => cache.invalidateQueries({ queryKey })))
        : undefined,
    ...(isSecret && { gcTime: 0 }),
  });
}
