import type { JsonValue } from '../../base/json.ts';

/**
 * One field of an executor's configuration. Every text in it may hold references (docs/expansion.md), which are
 * evaluated when the step starts; so a number or a flag may be written as a text with a reference.
 */
export interface ConfigField {
  readonly kind: 'text' | 'number' | 'flag' | 'textMap' | 'textList' | 'choice' | 'json';
  /** One or two sentences for a person who looks at the field in an editor: meaning, unit, default. */
  readonly description: string;
  readonly example?: JsonValue;
  /** Of a `choice`. */
  readonly values?: readonly string[];
  readonly required?: boolean;
}

/** The fields of a configuration by name; the one source of its check, its type and its part of the editor schema. */
export type ConfigTable = Readonly<Record<string, ConfigField>>;

interface ValueByKind {
  text: string;
  number: number;
  flag: boolean;
  textMap: Readonly<Record<string, string>>;
  textList: readonly string[];
  json: JsonValue;
}

type ValueOf<Field extends ConfigField> = Field['kind'] extends 'choice'
  ? NonNullable<Field['values']>[number]
  : ValueByKind[Exclude<Field['kind'], 'choice'>];

/** A configuration whose values have been evaluated. */
export type ConfigOf<Table extends ConfigTable> = {
  readonly [Name in keyof Table]: Table[Name]['required'] extends true
    ? ValueOf<Table[Name]>
    : ValueOf<Table[Name]> | undefined;
};

/** Keeps the names, kinds and choices of a table in its type. */
export const configTable = <const Table extends ConfigTable>(table: Table): Table => table;
