import type { Permission } from '../../api/session/permissions.ts';
import type { NewWorkflow } from './use-new-workflow.ts';
import type { ValidationResult } from './result/use-check.ts';

/** Returns why nothing can be created; undefined if it can. */
export function creationBlocker(
  { proposal, candidates, shown }: NewWorkflow,
  check: ValidationResult,
  may: Permission,
): string | undefined {
  if (may.reason !== undefined) return may.reason;
  if (candidates.length === 0) return proposal.reason ?? 'Nothing to create yet.';
  const chosen = candidates.filter(({ isChosen }) => isChosen);
  if (chosen.length === 0) return 'Select at least one job.';
  const misnamed = chosen.find(({ nameError }) => nameError !== undefined);
  if (misnamed) return misnamed.nameError;
  const error = check.answer?.diagnostics.find(({ severity }) => severity === 'error');
  if (shown?.isChosen === true && error) return `Fix the error in line ${error.line} first.`;
  return undefined;
}
