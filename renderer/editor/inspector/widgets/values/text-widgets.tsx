import type { JsonValue } from '../../../../../core/base/json.ts';
import { textOfValue, useForm, written, type WidgetProps } from '../../form/form-context.ts';
import { readDuration, showDuration } from '../time/duration-text.ts';
import { readScalar } from './scalar-text.ts';
import { useStableCaret, useDraft } from '../../form/use-draft.ts';
import styles from '../../inspector.module.css';

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
    text: textOfValue(state?.value),
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
        placeholder={isMixed ? 'Different values' : example}
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
    text: textOfValue(state?.value),
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
