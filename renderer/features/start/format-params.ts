import type { Parameter } from '../../../core/model/workflow.ts';

/**
 * The parameter text for a run, as after `--` on the command line. Values left at their defaults are not
 * sent, so that a default that is computed when a run starts still is. Positional ones are sent up to the
 * last that was changed, because their place is their name.
 */
export function formatParams(params: readonly Parameter[], values: Readonly<Record<string, string>>): string {
  const isChanged = ({ name, value }: Parameter): boolean => (values[name] ?? value) !== value;
  const lastPositional = params.findLastIndex((param) => isPositional(param) && isChanged(param));
  return params
    .filter((param, index) => (isPositional(param) ? index <= lastPositional : isChanged(param)))
    .map((param) => {
      const text = quote(values[param.name] ?? param.value);
      return isPositional(param) ? text : `${param.name}=${text}`;
    })
    .join(' ');
}

const isPositional = ({ name }: Parameter): boolean => /^\d+$/.test(name);

/** Quotes a value unless it is one plain word. */
const quote = (value: string): string =>
  /^[\w./:@%+,-]+$/.test(value) ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
