import type { Parameter } from '../../../core/model/workflow/workflow.ts';
import { formatParamText, isParamName } from '../../../core/spec/params.ts';

type Values = Readonly<Record<string, string>>;

/**
 * The parameter text for a run, as after `--params` on the command line. Values left at their defaults are not
 * sent, so that a default that is computed when a run starts still is.
 */
export const formatParams = (params: readonly Parameter[], values: Values): string =>
  formatParamText(listChanged(params, values));

/** The changed parameter whose name cannot be written in such a text, if there is one. */
export const findUnsendable = (params: readonly Parameter[], values: Values): Parameter | undefined =>
  listChanged(params, values).find(({ name }) => !isParamName(name));

const listChanged = (params: readonly Parameter[], values: Values): Parameter[] =>
  params
    .map(({ name, value }) => ({ name, value: values[name] ?? value, before: value }))
    .filter(({ value, before }) => value !== before);
