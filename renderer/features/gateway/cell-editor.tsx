import { useEffect, useRef, useState } from 'react';
import type { GatewayColumnView } from '../../../core/contract/gateway.ts';
import type { GatewayRowView } from '../../../core/contract/gateway-tables.ts';
import { errorText, readFieldErrors } from '../../format/error-text.ts';
import { isBooleanType, type GatewayCell } from './cell-text.tsx';
import styles from './rows.module.css';

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
