import { Input, Label, Text, TextField as AriaTextField } from 'react-aria-components';
import { useFieldFault } from './refusal-scope.tsx';
import styles from './controls.module.css';

interface TextFieldProps {
  readonly label: string;
  /** Under which a form has the value, and scripts know it: what the engine has against it is shown here. */
  readonly name?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description?: string;
  readonly autoFocus?: boolean;
  /** What the browser may fill in; nothing by default. */
  readonly autoComplete?: 'username';
  /** It can be read and copied, not changed; the description says why. */
  readonly isReadOnly?: boolean;
  /** Marked as needed; nothing is refused for it here. */
  readonly isRequired?: boolean;
  /** What is written in it are words for people. */
  readonly isProse?: boolean;
  /** Why it cannot be used as it is; takes the place of the description. */
  readonly error?: string | undefined;
}

/** A default is there to be replaced by typing. */
const selectAll = (event: React.FocusEvent<HTMLInputElement>): void => event.target.select();

/** A labelled line of text, shown in the code face because what is entered is data, except in prose. */
export function TextField({ label, description, autoComplete, isProse, error, ...props }: TextFieldProps) {
  const refused = useFieldFault(props.name, props.value);
  const fault = error ?? refused;
  const note = fault ?? description;
  return (
    <AriaTextField
      {...props}
      className={styles.field}
      isInvalid={fault !== undefined}
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
