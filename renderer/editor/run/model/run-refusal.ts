import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import type { SessionView } from '../../session/editor-session.ts';

/** Why a text cannot be run. */
export interface RunRefusal {
  readonly reason: string;
  /** What is wrong with the text, when that is it. */
  readonly problem?: Diagnostic;
}

/** Why the text cannot be run as it is; undefined when it can, as far as the newest look at it tells. */
export function findRefusal(
  { analysis, failure }: Pick<SessionView, 'analysis' | 'failure'>,
  baseFault: Diagnostic | undefined,
): RunRefusal | undefined {
  if (failure !== undefined) return { reason: 'Validation failed. The workflow cannot run.' };
  if (analysis === undefined) return { reason: 'Validation in progress.' };
  const problem = analysis.diagnostics.find(({ severity }) => severity === 'error');
  if (problem) return { reason: `Error in line ${problem.line}: ${problem.message}`, problem };
  if (analysis.workflows.length === 0) return { reason: 'The file contains no workflow.' };
  if (baseFault)
    return {
      reason: `Error in the base configuration, line ${baseFault.line}: ${baseFault.message}`,
    };
  return undefined;
}
