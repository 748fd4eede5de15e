import { Label, Text, TextArea, TextField } from 'react-aria-components';
import controls from '../../../ui/controls/controls.module.css';
import styles from './compose.module.css';

interface PayloadFieldProps {
  readonly text: string;
  /** Why it cannot be sent. */
  readonly error: string | undefined;
  /** What is shown is a payload that was really sent once. */
  readonly isReal: boolean;
  readonly onChange: (text: string) => void;
}

/** The payload of an event, as JSON that can be edited. */
export function PayloadField({ text, error, isReal, onChange }: PayloadFieldProps) {
  const help = `${isReal ? 'A payload that was really sent once. ' : ''}Every webhook that has this event gets it, signed with its own secret.`;
  return (
    <TextField className={styles.payload} value={text} onChange={onChange} isInvalid={error !== undefined}>
      <Label className={controls.label}>Payload</Label>
      <TextArea className={styles.text} spellCheck="false" autoCapitalize="none" wrap="off" />
      <Text slot="description" className={controls.help}>
        {error ?? help}
      </Text>
    </TextField>
  );
}
