import { useEffect, useRef, useState } from 'react';
import type { GatewayColumnView, GatewayTableView } from '../../../core/contract/gateway.ts';
import type { GatewayRowFilter, GatewayRowView } from '../../../core/contract/gateway-tables.ts';
import { errorText, readFieldErrors } from '../../format/error-text.ts';
import styles from './rows.module.css';

type GatewayCell = GatewayRowView['cells'][number];

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

const isBooleanType = (type: string): boolean => type === 'boolean';

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

/** A new value of a cell; null is NULL. */
export interface CellEdit {
  readonly row: GatewayRowView;
  readonly column: GatewayColumnView;
  readonly cell: GatewayCell;
  readonly value: string | null;
}

interface CellEditorProps {
  readonly column: GatewayColumnView;
  readonly cell: GatewayCell;
  /** The value to begin with. */
  readonly initial: string | null;
  readonly onSave: (value: string | null) => Promise<unknown>;
  readonly onLeave: () => void;
}

/** Returns the message for the value that an error is about. */
export function valueErrorText(error: unknown): string {
  const [first] = readFieldErrors(error);
  return first === undefined ? errorText(error) : first.problem;
}

/** Saving of a value: it stays in the editor until the database has accepted it. */
function useSaving({ initial, onSave, onLeave }: Pick<CellEditorProps, 'initial' | 'onSave' | 'onLeave'>) {
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const save = async (value: string | null): Promise<void> => {
    if (value === initial) return onLeave();
    setSaving(true);
    try {
      await onSave(value);
      onLeave();
    } catch (failure) {
      setError(failure);
      setSaving(false);
    }
  };
  return { error, isSaving, save, clear: () => setError(undefined) };
}

/** Edits a value in place: Enter saves, Escape discards; an error is shown below it. */
export function CellEditor(props: CellEditorProps) {
  const { column, cell, initial, onLeave } = props;
  const [text, setText] = useState(initial ?? '');
  const { error, isSaving, save, clear } = useSaving(props);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const input = box.current?.querySelector('input');
    input?.focus();
    input?.select();
  }, []);
  const leave = (event: React.FocusEvent): void => {
    const isInside = event.currentTarget.contains(event.relatedTarget);
    if (!isInside && !isSaving && error === undefined && document.hasFocus())
      void save(textOrNull(text, cell));
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') onLeave();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void save(text);
  };
  const { name, isNullable } = column;
  return (
    // Keys that a control inside does not use end the editing.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} className={styles.editor} onBlur={leave} onKeyDown={onKeyDown}>
      <input
        aria-label={name}
        aria-invalid={error !== undefined}
        aria-errormessage={error === undefined ? undefined : 'gateway-cell-error'}
        disabled={isSaving}
        spellCheck="false"
        value={text}
        placeholder={cell.text === null ? 'NULL' : ''}
        onChange={(event) => {
          setText(event.target.value);
          clear();
        }}
      />
      {isBooleanType(column.type) &&
        ['true', 'false'].map((value) => (
          <button key={value} type="button" onClick={() => void save(value)}>
            {value}
          </button>
        ))}
      {isNullable && cell.text !== null && (
        <button type="button" onClick={() => void save(null)}>
          NULL
        </button>
      )}
      {error !== undefined && (
        <div id="gateway-cell-error" role="alert" className={styles.cellError}>
          {valueErrorText(error)}
        </div>
      )}
    </div>
  );
}

/** An untouched NULL stays NULL when the focus leaves. */
const textOrNull = (text: string, cell: GatewayCell): string | null =>
  cell.text === null && text === '' ? null : text;
