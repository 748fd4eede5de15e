import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../../core/contract/operations.ts';
import { useBridge } from '../bridge.ts';

interface ChangeOptions<Name extends OperationName> {
  /** What is to be asked for anew, before the change counts as made; after a refusal too: the page may be behind. */
  readonly changed?: (input: OperationInput<Name>) => readonly QueryKey[];
  /** Whether the answer may hold a secret, which is nobody's business once its dialog is closed. */
  readonly isSecret?: true;
}

/** An operation that is called when somebody wants it. */
export function useChange<Name extends OperationName>(
  name: Name,
  { changed = () => [], isSecret }: ChangeOptions<Name> = {},
) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation<OperationOutput<Name>, Error, OperationInput<Name>>({
    mutationFn: (input) => bridge.call(name, input),
    onSettled: (_answer, _refusal, input) =>
      Promise.all(changed(input).map((queryKey) => cache.invalidateQueries({ queryKey }))),
    ...(isSecret && { gcTime: 0 }),
  });
}
