import type { PlanRequest } from './request.ts';
import type { OutputOptions } from './select/output.ts';

/** What a request says of all that is selected. */
export const outputOptions = ({ catalog, settings, format }: PlanRequest): OutputOptions => ({
  catalog,
  allowsAggregates: settings.allowsAggregates,
  listsColumns: format.kind === 'csv',
});
