import { Plus, X } from 'lucide-react';
import type { JsonValue } from '../../../../core/base/json.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { isScalarValue, textOfValue, useForm, type WidgetProps } from '../form/form-context.ts';
import { useDraft, useCaret } from '../form/use-draft.ts';
import { MoveButtons } from './move-buttons.tsx';
import { Line } from './text-widgets.tsx';
import styles from '../inspector.module.css';

const toItem = (text: string): JsonValue => text;

/** One text, or several in a list, each on a line. */
export function TextsWidget(props: WidgetProps & { readonly noun?: string }) {
  const { path, state, label, noun = 'entry' } = props;
  const form = useForm();
  const value = state?.value;
  const list = Array.isArray(value) ? value : undefined;
  if (list === undefined)
    return (
      <>
        <Line
          {...props}
          inputId={`${props.inputId}1`}
          toValue={(text) => (text === '' ? undefined : text)}
          label={label}
        />
        {value !== undefined && (
          <Adder noun={noun} onPress={() => void form.set(path, { value: [value, ''] })} />
        )}
      </>
    );
  return (
    <>
      <ol className={styles.rows}>
        {list.map((item, index) => (
          <li key={index} className={styles.row}>
            <Cell
              label={`${label} ${index + 1}`}
              value={textOfValue(item)}
              onCommit={(text) => form.set([...path, index], { value: toItem(text) })}
            />
            <MoveButtons path={path} label={`${label} ${index + 1}`} index={index} count={list.length} />
            <IconButton
              size="small"
              icon={X}
              label={`Remove ${label} ${index + 1}`}
              onPress={() => void form.set(list.length === 1 ? path : [...path, index], undefined)}
            />
          </li>
        ))}
      </ol>
      <Adder noun={noun} onPress={() => void form.set([...path, list.length], { value: '' })} />
    </>
  );
}

function Adder({ noun, onPress }: { readonly noun: string; readonly onPress: () => void }) {
  return (
    <Button size="small" look="quiet" icon={Plus} onPress={onPress}>
      {`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`}
    </Button>
  );
}

interface CellProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly isLive?: boolean;
  readonly onCommit: (text: string) => Promise<boolean>;
}

/** A field within a table or list. */
export function Cell({ label, value, placeholder, isLive = true, onCommit }: CellProps) {
  const { draft, value: typed } = useDraft({ text: value, commit: onCommit, isLive });
  const control = useCaret<HTMLInputElement>(typed);
  return (
    <input
      ref={control}
      className={styles.input}
      aria-label={label}
      value={typed}
      placeholder={placeholder}
      spellCheck="false"
      autoComplete="off"
      onChange={(event) => draft.change(event.target.value)}
      onBlur={draft.leave}
      onKeyDown={(event) => event.key === 'Enter' && draft.flush()}
    />
  );
}

/** Exit codes: one number, or several with commas. */
export function CodesWidget(props: WidgetProps) {
  const { state } = props;
  const value = state?.value;
  const text = Array.isArray(value) ? value.map((item) => textOfValue(item)).join(', ') : undefined;
  const shown = text === undefined || !state ? state : { ...state, value: text };
  const isList = Array.isArray(value);
  return <Line {...props} state={shown} toValue={(typed) => readCodes(typed, isList)} example="75, 76" />;
}

/** A single code is written as one, unless a list is there. */
export function readCodes(text: string, isList: boolean): JsonValue | undefined {
  const codes = text
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
    .map((code) => (/^-?\d{1,9}$/.test(code) ? Number(code) : code));
  if (codes.length === 0) return undefined;
  return codes.length === 1 && !isList && isScalarValue(codes[0]) ? codes[0] : codes;
}
