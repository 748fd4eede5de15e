import { Input, Label, Text, TextField as AriaTextField } from 'react-aria-components';
import styles from './controls.module.css';

interface TextFieldProps {
  readonly label: string;
  /** Under which a form has the value. */
  readonly name?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description?: string;
  readonly autoFocus?: boolean;
  /** What the browser may fill in; nothing by default. */
  readonly autoComplete?: 'username';
  readonly maxLength?: number;
  /** It can be read and copied, not changed; the description says why. */
  readonly isReadOnly?: boolean;
}

/** A default is there to be replaced by typing. */
const selectAll = (event: React.FocusEvent<HTMLInputElement>): void => event.target.select();

/** A labelled line of text, shown in the code face because what is entered is data. */
export function TextField({ label, description, autoComplete, ...props }: TextFieldProps) {
  return (
    <AriaTextField {...props} className={styles.field}>
      <Label className={styles.label}>{label}</Label>
      <Input
        className={styles.input}
        dir="auto"
        spellCheck="false"
        autoCapitalize="none"
        autoComplete={autoComplete ?? 'off'}
        onFocus={selectAll}
      />
      {description !== undefined && (
        <Text slot="description" className={styles.help}>
          {description}
        </Text>
      )}
    </AriaTextField>
  );
}
