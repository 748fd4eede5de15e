import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Input, Label, Text, TextField, ToggleButton } from 'react-aria-components';
import { useFieldError } from './field-error-scope.tsx';
import styles from './controls.module.css';

interface PasswordFieldProps {
  readonly label: string;
  /** Form field name, also used in the API; the engine's message about it is shown here. */
  readonly name?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Hint for password managers: fill in or generate a password. */
  readonly kind: 'current' | 'new';
  readonly description?: string;
  readonly autoFocus?: boolean;
}

/** A labeled password field whose text can be revealed, so that it need not be typed twice. */
export function PasswordField({ label, kind, description, ...props }: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false);
  const message = useFieldError(props.name, props.value);
  const note = message ?? description;
  return (
    <TextField
      {...props}
      type={isVisible ? 'text' : 'password'}
      className={styles.field}
      isInvalid={message !== undefined}
      validationBehavior="aria"
    >
      <Label className={styles.label}>{label}</Label>
      <div className={styles.secret}>
        <Input
          className={styles.input}
          spellCheck="false"
          autoCapitalize="none"
          autoComplete={`${kind}-password`}
        />
        <ToggleButton
          className={styles.reveal}
          aria-label={`Show ${label.toLowerCase()}`}
          isSelected={isVisible}
          onChange={setVisible}
        >
          {isVisible ? <EyeOff size={14} aria-hidden="true" /> : <Eye size={14} aria-hidden="true" />}
        </ToggleButton>
      </div>
      {note !== undefined && (
        <Text slot="description" className={styles.help}>
          {note}
        </Text>
      )}
    </TextField>
  );
}
