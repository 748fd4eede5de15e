import type { RunStatus } from '../../model/run/status.ts';
import type { Outputs, RunScope } from '../values/run-scope.ts';

/**
 * Expands mail templates with the values that the handlers of a run see. A run whose values could not be resolved has
 * none: templates without references are then used as they are, others are rejected.
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
