import type { RunStatus } from '../../model/run/status.ts';
import type { Outputs, RunScope } from '../values/run-scope.ts';

/**
 * Puts the values that the handlers of a run see into texts of its mails. A run whose values could not be resolved has
 * none: texts without references stay as they are then, and others are refused.
 */
export function mailExpansion(
  scope: RunScope | undefined,
  status: RunStatus,
  outputs: Outputs,
): (text: string) => Promise<string> {
  let environment: Promise<Record<string, string>> | undefined;
  return async (text) => {
    if (!/[$`]/.test(text)) return text;
    if (scope === undefined)
      throw new Error(`cannot resolve the values of the run for "${text.slice(0, 80)}"`);
    environment ??= scope.stepEnvironment([], outputs, { DAG_RUN_STATUS: status });
    return scope.expand(text, await environment);
  };
}
