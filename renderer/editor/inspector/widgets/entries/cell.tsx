import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import { useForm } from '../../form/form-context.ts';
import { useStableCaret, useDraft } from '../../form/use-draft.ts';
import styles from '../../inspector.module.css';

interface CellProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly isLive?: boolean;
  /** The path of the entry, to show whether it has a problem. */
  readonly at?: AuthoredPath;
  readonly onCommit: (text: string) => Promise<boolean>;
}

/** A field within a table or list. */
export function Cell({ label, value, placeholder, isLive = true, at, onCommit }: CellProps) {
  const form = useForm();
  const { draft, value: typed } = useDraft({ text: value, commit: onCommit, isLive });
  const control = useStableCaret<HTMLInputElement>(typed);
  const isInvalid = at !== undefined && form.issuesAt(at, []).some(({ severity }) => severity === 'error');
  return (
    <input
      ref={control}
      className={styles.input}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      // Most of a long value is not visible.
      title={typed.length > 24 ? typed : undefined}
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
