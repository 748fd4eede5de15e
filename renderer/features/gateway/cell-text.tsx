import type { GatewayColumnView, GatewayTableView } from '../../../core/contract/gateway.ts';
import type { GatewayRowFilter, GatewayRowView } from '../../../core/contract/gateway-tables.ts';
import styles from './rows.module.css';

export type GatewayCell = GatewayRowView['cells'][number];

/** A value in a table: NULL looks different from an empty string; a domain shows its stored value on hover. */
export function CellText({ cell }: { readonly cell: GatewayCell }) {
  const { text, stored, isCut = false } = cell;
  if (text === null) return <span className={styles.null}>NULL</span>;
  if (text === '') return <span className={styles.empty}>empty</span>;
  const note = stored !== undefined && stored !== text ? `Stored as ${stored ?? 'NULL'}` : undefined;
  return (
    <span className={note === undefined ? undefined : styles.presented} title={note ?? hint(text)}>
      {oneLine(text)}
      {isCut && '…'}
    </span>
  );
}

/** Number of characters that fit into most cells. */
const visibleLength = 28;
const maxHintLength = 400;

const hint = (text: string): string | undefined =>
  text.length > visibleLength ? text.slice(0, maxHintLength) : undefined;

const oneLine = (text: string): string => text.slice(0, 200).replaceAll(/\s*\n\s*/g, ' ⏎ ');

/** Whether values of a type are aligned like numbers. */
export const isNumberType = (type: string): boolean =>
  /^(smallint|integer|bigint|numeric|decimal|real|double precision|money)\b/.test(type);

export const isBooleanType = (type: string): boolean => type === 'boolean';

/** Short names of types with long ones. */
const shortTypes: Readonly<Record<string, string>> = {
  'character varying': 'varchar',
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
};

/** Returns the type of a column as a header shows it: `varchar(20)`, `mark`. */
export const shortType = ({ type }: Pick<GatewayColumnView, 'type'>): string =>
  Object.entries(shortTypes)
    .reduce((text, [long, short]) => text.replace(long, short), type)
    .replace(/^public\./, '');

const operators = [
  ['>=', 'gte'],
  ['<=', 'lte'],
  ['!=', 'neq'],
  ['<>', 'neq'],
  ['>', 'gt'],
  ['<', 'lt'],
  ['=', 'eq'],
] as const;

/** Reads the filter of a column: `>= 5`, `= Bern`, `null`, `not null`, or a part of the value. */
export function readFilter(column: string, text: string): GatewayRowFilter | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (/^null$/i.test(trimmed)) return { column, operator: 'isNull' };
  if (/^not null$/i.test(trimmed)) return { column, operator: 'isNotNull' };
  const found = operators.find(([sign]) => trimmed.startsWith(sign));
  if (found === undefined) return { column, operator: 'contains', value: trimmed };
  return { column, operator: found[1], value: trimmed.slice(found[0].length).trim() };
}

/** Returns a table's columns that a person can fill in. */
export const writableColumns = ({ columns }: GatewayTableView): readonly GatewayColumnView[] =>
  columns.filter(({ isGenerated }) => !isGenerated);
