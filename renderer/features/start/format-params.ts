import type { Parameter } from '../../../core/model/workflow/workflow.ts';
import { formatParamText, isParamName } from '../../../core/spec/params.ts';

type Values = Readonly<Record<string, string>>;

/**
 * Formats the parameters of a run, as after `--params` on the command line. Unchanged values are omitted, so
 * that computed defaults are still computed at run time.
 */
export const formatParams = (params: readonly Parameter[], values: Values): string =>
  formatParamText(listChanged(params, values));

/** Returns a changed parameter whose name cannot be written in this format, if any. */
export const findUnencodableParam = (params: readonly Parameter[], values: Values): Parameter | undefined =>
  listChanged(params, values).find(({ name }) => !isParamName(name));

const listChanged = (params: readonly Parameter[], values: Values): Parameter[] =>
  params
    .map(({ name, value }) => ({ name, value: values[name] ?? value, before: value }))
    .filter(({ value, before }) => value !== before);
