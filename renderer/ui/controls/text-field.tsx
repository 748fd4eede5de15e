import { Input, Label, Text, TextField as AriaTextField } from 'react-aria-components';
import { useFieldError } from './field-error-scope.tsx';
import styles from './controls.module.css';

interface TextFieldProps {
  readonly label: string;
  /** Form field name, also used in the API; the engine's message about it is shown here. */
  readonly name?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description?: string;
  readonly autoFocus?: boolean;
  /** Value that the browser may fill in; nothing by default. */
  readonly autoComplete?: 'username';
  /** Readable and copyable but not editable; the description gives the reason. */
  readonly isReadOnly?: boolean;
  /** Marked as required; not validated here. */
  readonly isRequired?: boolean;
  /** Whether the text is prose. */
  readonly isProse?: boolean;
  /** Why the value is invalid; replaces the description. */
  readonly error?: string | undefined;
}

/** Selects a default value on focus, so that typing replaces it. */
const selectAll = (event: React.FocusEvent<HTMLInputElement>): void => event.target.select();

/** A labeled text field, in the code font because it contains data, unless it is prose. */
export function TextField({ label, description, autoComplete, isProse, error, ...props }: TextFieldProps) {
  const fieldError = useFieldError(props.name, props.value);
  const message = error ?? fieldError;
  const note = message ?? description;
  return (
    <AriaTextField
      {...props}
      className={styles.field}
      isInvalid={message !== undefined}
      validationBehavior="aria"
    >
      <div className={styles.labelLine}>
        <Label className={styles.label}>{label}</Label>
        {props.isRequired === true && (
          <span className={styles.needed} aria-hidden="true">
            required
          </span>
        )}
      </div>
      <Input
        className={styles.input}
        data-prose={isProse || undefined}
        dir="auto"
        spellCheck="false"
        autoCapitalize="none"
        autoComplete={autoComplete ?? 'off'}
        onFocus={selectAll}
      />
      {note !== undefined && (
        <Text slot="description" className={styles.help}>
          {note}
        </Text>
      )}
    </AriaTextField>
  );
}
