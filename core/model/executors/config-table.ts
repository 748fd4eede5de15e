import type { JsonValue } from '../../base/json.ts';

/**
 * One field of an executor's configuration. All strings in it may contain references (docs/expansion.md), which are
 * evaluated when the step starts; so a number or a boolean may be written as a string with a reference.
 */
export interface ConfigField {
  readonly kind: 'text' | 'number' | 'flag' | 'textMap' | 'textList' | 'choice' | 'json';
  /** One or two sentences for the editor: meaning, unit, default. */
  readonly description: string;
  readonly example?: JsonValue;
  /** Values of a `choice`. */
  readonly values?: readonly string[];
  readonly required?: boolean;
}

/**
 * The fields of a configuration by name; the only source of its validation, its type and its part of the editor schema.
 */
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

/** A configuration with evaluated values. */
export type ConfigOf<Table extends ConfigTable> = {
  readonly [Name in keyof Table]: Table[Name]['required'] extends true
    ? ValueOf<Table[Name]>
    : ValueOf<Table[Name]> | undefined;
};

/** Preserves the names, kinds and choices of a table in its type. */
export const configTable = <const Table extends ConfigTable>(table: Table): Table => table;
