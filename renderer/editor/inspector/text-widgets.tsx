import { parseSpan } from '../../../core/base/duration.ts';
import type { JsonValue } from '../../../core/base/json.ts';
import { formatDuration } from '../../format/time.ts';
import { Segmented, NativeSelect } from '../../ui/choices.tsx';
import {
  getValueText,
  useForm,
  written,
  type WidgetProps,
  useStableCaret,
  useDraft,
  isScalarValue,
} from './form-context.ts';
import styles from './inspector.module.css';
import { AddEntryButton, Cell, Entries, Entry } from './entry.tsx';
import { listItemMoves } from './entry-rows.ts';

/** Parses a duration with units, such as `1h 30m`, to seconds; undefined for anything else. */
export const readDuration = (text: string): number | undefined =>
  parseSpan(text.replaceAll(/\s+/g, '').toLowerCase());

/** Formats seconds for reading at a glance; empty where the number is clear by itself. */
export function showDuration(text: string): string {
  const seconds = readDuration(text) ?? (text.trim() === '' ? Number.NaN : Number(text));
  return Number.isFinite(seconds) && seconds >= 0 ? formatDuration(seconds * 1000) : '';
}

/** Parses typed text as a number if it is written like one; `007` and `1.0` stay strings. */
export function readScalar(text: string): JsonValue {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d*[1-9])?$/.test(text) ? Number(text) : text;
}

/** Parses typed text like {@link readScalar}, but keeps the type of the previous value: string or boolean. */
export function parseLike(text: string, before: JsonValue | undefined): JsonValue {
  if (typeof before === 'string') return text;
  if ((text === 'true' || text === 'false') && typeof before === 'boolean') return text === 'true';
  return readScalar(text);
}

interface LineProps extends WidgetProps {
  readonly toValue: (text: string) => JsonValue | undefined;
  readonly isLive?: boolean;
  readonly aside?: (text: string) => string;
  /** Id of a list of suggestions. */
  readonly listId?: string;
}

/** A single-line text field that is written while typing. */
export function Line(props: LineProps) {
  const {
    path,
    state,
    inputId,
    describedBy,
    isInvalid,
    isMixed,
    example,
    toValue,
    isLive = true,
    aside,
    listId,
  } = props;
  const form = useForm();
  const { draft, value: typed } = useDraft({
    text: getValueText(state?.value),
    commit: (text) => form.set(path, written(toValue(text))),
    isLive,
  });
  const control = useStableCaret<HTMLInputElement>(typed);
  return (
    <div className={styles.line}>
      <input
        ref={control}
        id={inputId}
        list={listId}
        aria-label={props.label}
        title={typed.length > 40 ? typed : undefined}
        className={styles.input}
        dir="auto"
        value={typed}
        placeholder={isMixed ? 'Multiple values' : example}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        spellCheck="false"
        autoComplete="off"
        onChange={(event) => draft.change(event.target.value)}
        onBlur={draft.leave}
        onKeyDown={(event) => {
          if (event.key === 'Enter') draft.flush();
          if (event.key === 'Escape' && !isLive) draft.abandon();
        }}
      />
      {aside && <span className={styles.aside}>{aside(typed)}</span>}
    </div>
  );
}

/** Converts typed text to a value; empty text removes the field. */
const toText = (text: string): JsonValue | undefined => (text === '' ? undefined : text);
const toNumber = (text: string): JsonValue | undefined => {
  const bare = text.trim();
  if (bare === '') return undefined;
  if (bare === 'true' || bare === 'false') return bare === 'true';
  return readScalar(bare);
};
const toSeconds = (text: string): JsonValue | undefined => {
  const seconds = readDuration(text);
  return seconds === undefined ? toNumber(text) : seconds;
};

/** A name is referenced elsewhere, so it is written only when complete. */
export const TextWidget = (props: WidgetProps) => (
  <Line {...props} toValue={toText} isLive={!isName(props.path)} />
);
const isName = ([first, ...below]: WidgetProps['path']): boolean =>
  below.length === 0 && (first === 'name' || first === 'id');

export const NumberWidget = (props: WidgetProps) => <Line {...props} toValue={toNumber} />;

/** Seconds, or a duration such as `1h 30m`. */
export const SecondsWidget = (props: WidgetProps) => (
  <Line {...props} toValue={toSeconds} aside={showDuration} />
);

/** A multi-line string: data or prose. */
export function MultilineTextWidget({
  spec,
  path,
  state,
  inputId,
  describedBy,
  isInvalid,
  example,
}: WidgetProps) {
  const form = useForm();
  const { draft, value: typed } = useDraft({
    text: getValueText(state?.value),
    commit: (text) => form.set(path, written(toText(text))),
  });
  const control = useStableCaret<HTMLTextAreaElement>(typed);
  return (
    <textarea
      ref={control}
      id={inputId}
      className={styles.area}
      rows={Math.min(8, typed.split('\n').length)}
      value={typed}
      placeholder={example}
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      {...(spec.widget === 'prose' && { dir: 'auto', 'data-prose': '' })}
      onChange={(event) => draft.change(event.target.value)}
      onBlur={draft.leave}
    />
  );
}

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
                value={getValueText(item)}
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
  const text = Array.isArray(value) ? value.map((item) => getValueText(item)).join(', ') : undefined;
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

const flagChoices = [
  { value: 'default', label: 'Default' },
  { value: 'true', label: 'On' },
  { value: 'false', label: 'Off' },
] as const;

/** On, off, or the default. */
export function BooleanWidget({ path, state, label }: WidgetProps) {
  const form = useForm();
  const value = typeof state?.value === 'boolean' ? (`${state.value}` as const) : 'default';
  return (
    <Segmented
      label={label}
      value={value}
      choices={flagChoices}
      onChange={(next) => void form.set(path, written(next === 'default' ? undefined : next === 'true'))}
    />
  );
}

/** One of the values that the schema lists. */
export function ChoiceWidget({ path, state, spec, inputId, describedBy, isInvalid, isMixed }: WidgetProps) {
  const form = useForm();
  const value = getValueText(state?.value);
  const isKnown = spec.choices.some((choice) => choice.value === value);
  const choose = (next: string): void =>
    void form.set(path, written(next === '' ? undefined : next === 'true' || (next !== 'false' && next)));
  return (
    <NativeSelect
      id={inputId}
      isField
      value={value}
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="">{isMixed ? 'Multiple values' : 'Default'}</option>
      {!isKnown && value !== '' && <option value={value}>{value}</option>}
      {spec.choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label ?? choice.value}
        </option>
      ))}
    </NativeSelect>
  );
}
