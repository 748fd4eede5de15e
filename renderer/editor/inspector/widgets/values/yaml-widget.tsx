import { useForm, type WidgetProps } from '../../form/form-context.ts';
import { useStableCaret, useDraft } from '../../form/use-draft.ts';
import styles from '../../inspector.module.css';

/** The value as YAML, for a value that no other widget can show without loss. */
export function YamlWidget({ path, state, label, inputId, describedBy, isInvalid, example }: WidgetProps) {
  const form = useForm();
  const { draft, value: typed } = useDraft({
    text: state?.source ?? '',
    commit: (yaml) => form.set(path, yaml.trim() === '' ? undefined : { yaml }),
    isLive: false,
  });
  const control = useStableCaret<HTMLTextAreaElement>(typed);
  return (
    <>
      <textarea
        ref={control}
        id={inputId}
        className={styles.area}
        data-code=""
        rows={Math.min(14, Math.max(2, typed.split('\n').length))}
        value={typed}
        placeholder={example}
        aria-label={`${label} as YAML`}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        spellCheck="false"
        onChange={(event) => draft.change(event.target.value)}
        onBlur={draft.leave}
      />
      <p className={styles.note}>YAML. Saved when you leave the field.</p>
    </>
  );
}
