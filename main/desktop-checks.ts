// A file of its own: the build replaces it with compiled schemas.
import type { TSchema } from 'typebox';
import { Build } from 'typebox/schema';
import { desktopCalls, desktopSections } from '../core/contract/desktop-calls.ts';
import { closeInput } from '../core/contract/operation.ts';

/** Whether a value is valid. */
export type Accepts = (value: unknown) => boolean;

/** Checks of the input of each call from the window. */
export const callChecks = mapValues(desktopCalls, ({ input }) => compile(closeInput(input)));

/** Checks of each field of the settings, by section. */
export const settingChecks = mapValues(desktopSections, ({ properties }) =>
  mapValues<string, TSchema, Accepts>(properties, compile),
);

function compile(schema: TSchema): Accepts {
  const compiled = Build(schema).Evaluate();
  return (value) => compiled.Check(value);
}

function mapValues<Name extends string, Value, Mapped>(
  values: Readonly<Record<Name, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<Name, Mapped>> {
  return Object.fromEntries(
    Object.entries<Value>(values).map(([name, value]) => [name, map(value)]),
  ) as Record<Name, Mapped>;
}
