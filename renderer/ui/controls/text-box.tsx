import { Label, Text, TextArea, TextField } from 'react-aria-components';
import { useFieldFault } from './refusal-scope.tsx';
import controls from './controls.module.css';
import styles from './text-box.module.css';

interface TextBoxProps {
  readonly label: string;
  /** Under which scripts know the value: what the engine has against it is shown here. */
  readonly name?: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Lines that it has room for; absent: all the height that is left. */
  readonly rows?: number;
  readonly placeholder?: string;
  /** What is to be known about it; an error takes its place. */
  readonly help?: string;
  /** Why it cannot be used as it is. */
  readonly error?: string | undefined;
  /** What is written in it are sentences for people. */
  readonly isProse?: boolean;
}

/** Several lines of data: nothing is corrected, capitalised or wrapped, except in prose. */
export function TextBox(props: TextBoxProps) {
  const { label, text, onChange, rows, placeholder, help, error, isProse = false } = props;
  const refused = useFieldFault(props.name, text);
  const fault = error ?? refused;
  const note = fault ?? help;
  return (
    <TextField
      className={styles.field}
      value={text}
      onChange={onChange}
      isInvalid={fault !== undefined}
      validationBehavior="aria"
      data-fills={rows === undefined || undefined}
    >
      <Label className={controls.label}>{label}</Label>
      <TextArea
        className={styles.area}
        rows={rows}
        placeholder={placeholder ?? ''}
        {...(isProse
          ? { dir: 'auto', 'data-prose': '' }
          : { spellCheck: 'false', autoCapitalize: 'none', wrap: 'off' })}
      />
      {note !== undefined && (
        <Text slot="description" className={controls.help}>
          {note}
        </Text>
      )}
    </TextField>
  );
}
