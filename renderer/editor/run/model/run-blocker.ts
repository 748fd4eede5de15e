import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import type { SessionView } from '../../session/editor-session.ts';

/** Why a text cannot be run. */
export interface RunBlocker {
  readonly reason: string;
  /** The diagnostic, if the text has an error. */
  readonly problem?: Diagnostic;
}

/** Returns why the text cannot be run, as far as the latest analysis knows; undefined if it can. */
export function findRunBlocker(
  { analysis, failure }: Pick<SessionView, 'analysis' | 'failure'>,
  baseConfigIssue: Diagnostic | undefined,
): RunBlocker | undefined {
  if (failure !== undefined) return { reason: 'Validation failed. The workflow cannot run.' };
  if (analysis === undefined) return { reason: 'Validation in progress.' };
  const problem = analysis.diagnostics.find(({ severity }) => severity === 'error');
  if (problem) return { reason: `Error in line ${problem.line}: ${problem.message}`, problem };
  if (analysis.workflows.length === 0) return { reason: 'The file contains no workflow.' };
  if (baseConfigIssue)
    return {
      reason: `Error in the base configuration, line ${baseConfigIssue.line}: ${baseConfigIssue.message}`,
    };
  return undefined;
}
