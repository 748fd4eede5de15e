import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { useBridge } from '../../../api/bridge.ts';
import { systemClock } from '../../../app/clock.ts';

/** Pause after the last key press before the text is validated. */
const pauseMs = 250;

export interface ValidationResult {
  /** The engine's result; undefined while validating or after a failure. */
  readonly answer: OperationOutput<'dags.validate'> | undefined;
  readonly error: unknown;
  /** Even a valid text cannot run: the base configuration has an error. */
  readonly isBlockedByBaseConfig: boolean;
}

/**
 * Validates a text in the engine, which includes the base configuration; nothing is written.
 * @param baseConfigIssue error of the base configuration; the text is validated again once it is fixed
 */
export function useCheck(
  name: string,
  text: string | undefined,
  baseConfigIssue: Diagnostic | undefined,
): ValidationResult {
  const bridge = useBridge();
  const settled = useDebounced(text);
  const { data, error } = useQuery({
    queryKey: ['new-workflow-check', name, settled, baseConfigIssue?.message],
    queryFn: () => bridge.call('dags.validate', { spec: settled ?? '', ...(name !== '' && { name }) }),
    enabled: settled !== undefined,
    staleTime: Infinity,
    gcTime: 30_000,
  });
  const isBlockedByBaseConfig = baseConfigIssue !== undefined;
  return settled === text
    ? { answer: data, error, isBlockedByBaseConfig }
    : { answer: undefined, error: null, isBlockedByBaseConfig };
}

/** Returns the value once it has not changed for a moment; the first value immediately. */
function useDebounced(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => systemClock.after(pauseMs, () => setSettled(value)), [value]);
  return settled === undefined || value === undefined ? value : settled;
}
