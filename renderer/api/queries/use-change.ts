import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../../core/contract/operations.ts';
import { useBridge } from '../bridge.ts';

interface ChangeOptions<Name extends OperationName> {
  /** What is to be asked for anew, before the change counts as made. */
  readonly changed?: (input: OperationInput<Name>) => readonly QueryKey[];
  /** Whether that is asked for after a refusal as well, since the page may be behind. */
  readonly evenRefused?: true;
  /** Whether the answer may hold a secret, which is nobody's business once its dialog is closed. */
  readonly isSecret?: true;
}

/** An operation that is called when somebody wants it. */
export function useChange<Name extends OperationName>(
  name: Name,
  { changed = () => [], evenRefused, isSecret }: ChangeOptions<Name> = {},
) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation<OperationOutput<Name>, Error, OperationInput<Name>>({
    mutationFn: (input) => bridge.call(name, input),
    onSettled: (_answer, refusal, input) =>
      refusal === null || evenRefused
        ? Promise.all(changed(input).map((queryKey) => cache.invalidateQueries({ queryKey })))
        : undefined,
    ...(isSecret && { gcTime: 0 }),
  });
}
