import type { RetryPolicy } from '../../../model/workflow/step.ts';
import type { AuthoredRetryPolicy } from '../../authored.ts';
import type { Report } from '../../source/report.ts';
import type { SourceRef } from '../../source/source-node.ts';
import { readExitCodes, readNumber, readNumberOrExpression } from '../numbers.ts';
import { readBackoff } from './backoff.ts';

export function readRetryPolicy(
  value: AuthoredRetryPolicy | undefined,
  source: SourceRef,
  report: Report,
): RetryPolicy | undefined {
  if (value === undefined) return undefined;
  return {
    limit: readNumberOrExpression(value.limit),
    intervalSec: readNumberOrExpression(value.intervalSec),
    exitCodes: readExitCodes(value.exitCode),
    backoff: readBackoff(value.backoff, source, report),
    maxIntervalSec: readNumber(value.maxIntervalSec),
  };
}
