import type { RetryPolicy } from '../../model/step.ts';
import type { AuthoredRetryPolicy } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { placeOf, type Place } from '../source/source-node.ts';
import { readExitCodes, readNumber } from './numbers.ts';

/** Reads `retryPolicy`; `backoff: true` is the factor 2, any other must be above 1. */
export function readRetryPolicy(
  value: AuthoredRetryPolicy | undefined,
  place: Place,
  report: Report,
): RetryPolicy | undefined {
  if (value === undefined) return undefined;
  return {
    limit: Number(value.limit),
    intervalSec: Number(value.intervalSec),
    exitCodes: readExitCodes(value.exitCode),
    backoff: readBackoff(value.backoff, placeOf(place, 'backoff'), report),
    maxIntervalSec: readNumber(value.maxIntervalSec),
  };
}

function readBackoff(value: boolean | number | string | undefined, place: Place, report: Report): number {
  if (value === undefined || value === false) return 1;
  if (value === true) return 2;
  const factor = Number(value);
  if (factor > 1) return factor;
  report.error(
    place,
    '"backoff" multiplies the interval and must be more than 1. Write 2, or remove it for a constant interval.',
  );
  return 1;
}
