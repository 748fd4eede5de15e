import Type, { type Static } from 'typebox';

/** A position in a source file, both 1-based. */
export const SourcePosition = Type.Object({ line: Type.Integer(), column: Type.Integer() });
export type SourcePosition = Static<typeof SourcePosition>;

/** One variable definition, unexpanded; later entries may refer to earlier ones. */
export const EnvEntry = Type.Object({ name: Type.String(), value: Type.String() });
export type EnvEntry = Static<typeof EnvEntry>;

/** A condition that must be met before a run or a step starts. */
export const Condition = Type.Union([
  /** A command whose success is the condition. */
  Type.Object({ kind: Type.Literal('command'), command: Type.String(), negate: Type.Boolean() }),
  /** An expression whose value must equal `expected`, or match it when it starts with `re:`. */
  Type.Object({
    kind: Type.Literal('expression'),
    condition: Type.String(),
    expected: Type.String(),
    negate: Type.Boolean(),
  }),
]);
export type Condition = Static<typeof Condition>;

/** Strings by name, in no particular order. */
export const TextMap = Type.Record(Type.String(), Type.String());
export type TextMap = Static<typeof TextMap>;
