import { Input, Label, Text, TextField } from 'react-aria-components';
import controls from '../../ui/controls/controls.module.css';
import styles from './new-workflow.module.css';

interface NameFieldProps {
  readonly label: string;
  /** Whether the label is visible to screen readers only. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly error: string | undefined;
  readonly description?: string;
  readonly autoFocus?: boolean;
  readonly isReadOnly?: boolean;
  readonly onChange: (value: string) => void;
}

/** The name of a workflow file, validated while typing. */
export function NameField(props: NameFieldProps) {
  const { label, isLabelHidden = false, error, description, ...field } = props;
  const message = error ?? description;
  return (
    <TextField
      {...field}
      isInvalid={error !== undefined}
      className={`${controls.field} ${styles.nameField}`}
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {!isLabelHidden && <Label className={controls.label}>{label}</Label>}
      <Input
        className={`${controls.input} ${styles.nameInput}`}
        spellCheck="false"
        autoCapitalize="none"
        autoComplete="off"
      />
      {message !== undefined && (
        <Text slot="description" className={error === undefined ? controls.help : styles.fieldError}>
          {message}
        </Text>
      )}
    </TextField>
  );
}
