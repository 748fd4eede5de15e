import { key, type ConfigTable } from '../config-key.ts';
import { flag, wholeNumber } from '../values/read-values.ts';

/** The quotes service of a server (docs/quotes.md). */
export const quotesSection = {
  /** Requests that one client may make in a minute; 0 for any number. */
  requestsPerMinute: key(wholeNumber(0, 1_000_000), 600, 'ENGINE_QUOTES_REQUESTS_PER_MINUTE'),
  /** Whether it is away for maintenance: every request is told to come later. */
  maintenance: key(flag, false, 'ENGINE_QUOTES_MAINTENANCE'),
} as const satisfies ConfigTable;
