import type { PlanRequest } from './request.ts';
import type { OutputOptions } from './select/output.ts';

/** Returns the options that apply to all selected output. */
export const outputOptions = ({ catalog, settings, format }: PlanRequest): OutputOptions => ({
  catalog,
  allowsAggregates: settings.allowsAggregates,
  listsColumns: format.kind === 'csv',
});
