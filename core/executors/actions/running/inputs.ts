import { findNearest } from '../../../base/text/nearest.ts';
import { fillText, type ExpressionScope } from '../expressions/evaluate.ts';
import type { InputDefinition } from '../manifest/manifest.ts';

/** Inputs by the name that the action declares. */
export type Inputs = Readonly<Record<string, string>>;

/** An action with inputs, for error messages. */
export interface InputOwner {
  /** The action as the user wrote it. */
  readonly shown: string;
  readonly inputs: readonly InputDefinition[];
}

/**
 * Returns the inputs of an action: the explicit values and the defaults of the others. Names are case-insensitive. An
 * undeclared input is passed on with a warning, as on GitHub Actions. Rejects if a required input is missing.
 */
export async function resolveInputs(
  { shown, inputs }: InputOwner,
  given: Inputs,
  scope: ExpressionScope,
  warn: (message: string) => void,
): Promise<Inputs> {
  const resolved: Record<string, string> = {};
  const remaining = new Map(Object.entries(given));
  for (const input of inputs) {
    const key = [...remaining.keys()].find((name) => name.toLowerCase() === input.name.toLowerCase());
    const value = key === undefined ? undefined : remaining.get(key);
    if (key !== undefined) remaining.delete(key);
    if (value !== undefined && input.deprecation !== undefined)
      warn(`input "${input.name}" of ${shown} is deprecated: ${input.deprecation}`);
    if (value === undefined && input.default === undefined && input.required)
      throw new Error(explainMissing(shown, input, [...remaining.keys()]));
    resolved[input.name] = value ?? (await fillText(input.default ?? '', scope));
  }
  for (const [name, value] of remaining) {
    warn(explainUnknown(shown, name, inputs));
    resolved[name] = value;
  }
  return resolved;
}

/** Returns the environment variables that pass the inputs to a program. */
export const inputVariables = (inputs: Inputs): Record<string, string> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      value,
    ]),
  );

function explainMissing(shown: string, { name, description }: InputDefinition, others: string[]): string {
  const near = findNearest(name, others);
  const what = description.trim() === '' ? '' : ` (${description.trim().split('\n')[0]})`;
  const remedy = near === undefined ? 'Add it to "params".' : `Did you mean "${near}" in "params"?`;
  return `action ${shown} requires the input "${name}"${what}. ${remedy}`;
}

function explainUnknown(shown: string, name: string, inputs: readonly InputDefinition[]): string {
  const names = inputs.map((input) => input.name);
  const near = findNearest(name, names);
  const known = names.length === 0 ? 'The action has no inputs.' : `Valid inputs: ${names.join(', ')}.`;
  return `Unknown input "${name}" of ${shown}. ${near === undefined ? known : `Did you mean "${near}"?`}`;
}
