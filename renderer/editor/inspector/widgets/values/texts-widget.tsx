import type { JsonValue } from '../../../../../core/base/json.ts';
import { isScalarValue, textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { AddEntryButton } from '../entries/adder.tsx';
import { Cell } from '../entries/cell.tsx';
import { Entries, Entry } from '../entries/entry.tsx';
import { listItemMoves } from '../entries/moves.ts';
import { Line } from './text-widgets.tsx';

/** One string, or a list of several, one per line. */
export function StringListWidget(props: WidgetProps & { readonly noun?: string }) {
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
          <AddEntryButton noun={noun} onPress={() => form.set(path, { value: [value, ''] })} />
        )}
      </>
    );
  return (
    <>
      <Entries label={label}>
        {list.map((item, index) => {
          const at = [...path, index];
          return (
            <Entry
              key={index}
              label={`${label} ${index + 1}`}
              index={index}
              moves={listItemMoves(form, path, index, list.length)}
              removed={list.length === 1 ? path : at}
              at={at}
            >
              <Cell
                label={`${label} ${index + 1}`}
                value={textOfValue(item)}
                at={at}
                onCommit={(text) => form.set(at, { value: text })}
              />
            </Entry>
          );
        })}
      </Entries>
      <AddEntryButton noun={noun} onPress={() => form.set([...path, list.length], { value: '' })} />
    </>
  );
}

/** Exit codes: one number, or several separated by commas. */
export function ExitCodesWidget(props: WidgetProps) {
  const { state } = props;
  const value = state?.value;
  const text = Array.isArray(value) ? value.map((item) => textOfValue(item)).join(', ') : undefined;
  const shown = text === undefined || !state ? state : { ...state, value: text };
  const isList = Array.isArray(value);
  return <Line {...props} state={shown} toValue={(typed) => readCodes(typed, isList)} example="75, 76" />;
}

/** A single code is written as a number, unless the value is already a list. */
export function readCodes(text: string, isList: boolean): JsonValue | undefined {
  const codes = text
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
    .map((code) => (/^-?\d{1,9}$/.test(code) ? Number(code) : code));
  if (codes.length === 0) return undefined;
  return codes.length === 1 && !isList && isScalarValue(codes[0]) ? codes[0] : codes;
}
