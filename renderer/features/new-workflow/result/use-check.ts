import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { useBridge } from '../../../api/bridge.ts';
import { systemClock } from '../../../app/clock.ts';

/** Pause in the typing after which the text is checked. */
const pauseMs = 250;

export interface Check {
  /** What the engine says of the text; undefined while it is asked, or cannot be. */
  readonly answer: OperationOutput<'dags.validate'> | undefined;
  readonly error: unknown;
  /** However valid the text is, it cannot run: the base configuration has an error. */
  readonly isHeldByBase: boolean;
}

/**
 * Has the engine check a text, which knows the base configuration as well; nothing is written.
 * @param baseFault what is wrong with the base configuration; the text is checked anew once it is corrected
 */
export function useCheck(name: string, text: string | undefined, baseFault: Diagnostic | undefined): Check {
  const bridge = useBridge();
  const settled = useSettled(text);
  const { data, error } = useQuery({
    queryKey: ['new-workflow-check', name, settled, baseFault?.message],
    queryFn: () => bridge.call('dags.validate', { spec: settled ?? '', ...(name !== '' && { name }) }),
    enabled: settled !== undefined,
    staleTime: Infinity,
    gcTime: 30_000,
  });
  const isHeldByBase = baseFault !== undefined;
  return settled === text
    ? { answer: data, error, isHeldByBase }
    : { answer: undefined, error: null, isHeldByBase };
}

/** The value once it has not changed for a moment. The first one counts at once. */
function useSettled(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => systemClock.after(pauseMs, () => setSettled(value)), [value]);
  return settled === undefined || value === undefined ? value : settled;
}
