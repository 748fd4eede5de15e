import { key, type ConfigTable } from '../config-key.ts';
import { flag, wholeNumber } from '../values/read-values.ts';

/** The quotes service of a server (docs/quotes.md). */
export const quotesSection = {
  /** Maximum requests per client and minute; 0 for no limit. */
  requestsPerMinute: key(wholeNumber(0, 1_000_000), 600, 'ENGINE_QUOTES_REQUESTS_PER_MINUTE'),
  /** Whether the service is in maintenance mode: the response to every request is to retry later. */
  maintenance: key(flag, false, 'ENGINE_QUOTES_MAINTENANCE'),
} as const satisfies ConfigTable;
