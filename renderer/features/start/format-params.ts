import type { Parameter } from '../../../core/model/workflow.ts';
import { parseParamText } from '../../../core/spec/params.ts';

type Values = Readonly<Record<string, string>>;

/**
 * The parameter text for a run, as after `--` on the command line. Values left at their defaults are not
 * sent, so that a default that is computed when a run starts still is.
 */
export const formatParams = (params: readonly Parameter[], values: Values): string =>
  listChanged(params, values)
    .map(({ name, value }) => `${name}=${quote(value)}`)
    .join(' ');

/** The parameter whose value cannot be written in such a text, if there is one: its quotes leave no way. */
export function findUnsendable(params: readonly Parameter[], values: Values): Parameter | undefined {
  return listChanged(params, values).find(({ name, value }) => {
    const [read, ...more] = parseParamText(`${name}=${quote(value)}`);
    return more.length > 0 || read?.name !== name || read.value !== value;
  });
}

const listChanged = (params: readonly Parameter[], values: Values): Parameter[] =>
  params
    .map(({ name, value }) => ({ name, value: values[name] ?? value, before: value }))
    .filter(({ value, before }) => value !== before);

/** Quotes a value where that is needed; the counterpart of `core/spec/params.ts`. */
function quote(value: string): string {
  if (/^[^\s"'`]\S*$/.test(value)) return value;
  return value.includes("'") ? `"${value.replaceAll('"', '\\"')}"` : `'${value}'`;
}
