// A file of its own: the contract of engine, command line and UI for forms.
import Type, { type Static } from 'typebox';
import { paramTypes } from './workflow-rules.ts';

/** A parameter as a form asks for it. */
export const ParamField = Type.Object({
  name: Type.String(),
  title: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  type: Type.Enum([...paramTypes]),
  /** As in JSON Schema, such as `date`; also `password`, `multiline`, `file` and `folder`. */
  format: Type.Optional(Type.String()),
  /** A run without a value is rejected. */
  required: Type.Boolean(),
  /** As written; variables are expanded when the run starts. */
  default: Type.Optional(Type.String()),
  /** Allowed values. */
  choices: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), title: Type.Optional(Type.String()) })),
  ),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  maxLength: Type.Optional(Type.Number()),
});

export type ParamField = Static<typeof ParamField>;

/** The parameters of a workflow, to build a form from. */
export const ParamForm = Type.Object({
  fields: Type.Array(ParamField),
  /** Why the schema of the workflow is not available; the fields are then those of the defaults. */
  problem: Type.Optional(Type.String()),
});

export type ParamForm = Static<typeof ParamForm>;
