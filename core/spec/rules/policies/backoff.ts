import type { Report } from '../../source/report.ts';
import { fieldOf, type SourceRef } from '../../source/source-node.ts';

/** Reads the `backoff` of a policy: true is the factor 2, a number must be above 1. Default: 1. */
export function readBackoff(
  value: boolean | number | string | undefined,
  policy: SourceRef,
  report: Report,
): number {
  if (value === undefined || value === false) return 1;
  if (value === true) return 2;
  const factor = Number(value);
  if (factor > 1) return factor;
  report.error(
    fieldOf(policy, 'backoff'),
    '"backoff" must be more than 1. Use a value such as 2, or remove it for a constant interval.',
  );
  return 1;
}
