import { Label, Text, TextArea, TextField } from 'react-aria-components';
import controls from '../../../ui/controls/controls.module.css';
import styles from '../gateway.module.css';

interface TextBoxProps {
  readonly label: string;
  readonly text: string;
  readonly rows: number;
  readonly placeholder?: string;
  /** Why it cannot be used as it is. */
  readonly error?: string | undefined;
  readonly onChange: (text: string) => void;
}

/** Several lines of data. */
export function TextBox({ label, text, rows, placeholder, error, onChange }: TextBoxProps) {
  return (
    <TextField className={styles.field} value={text} onChange={onChange} isInvalid={error !== undefined}>
      <Label className={controls.label}>{label}</Label>
      <TextArea
        className={styles.textArea}
        rows={rows}
        placeholder={placeholder ?? ''}
        spellCheck="false"
        autoCapitalize="none"
        wrap="off"
      />
      {error !== undefined && (
        <Text slot="description" className={controls.help}>
          {error}
        </Text>
      )}
    </TextField>
  );
}
