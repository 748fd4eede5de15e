import { Dices } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { PasswordField } from '../../../ui/controls/password-field.tsx';
import styles from './secret-field.module.css';

interface SecretFieldProps {
  readonly label: string;
  /** Field name in the API. */
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description: string;
  readonly autoFocus?: boolean;
}

const bytes = 32;

/** Generates a secret as long as the key of the signature's hash, in characters that need no quoting. */
const thinkOne = (): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** A secret to enter or generate. */
export function SecretField({ value, onChange, ...texts }: SecretFieldProps) {
  return (
    <div className={styles.secret}>
      <PasswordField {...texts} kind="new" value={value} onChange={onChange} />
      <div className={styles.line}>
        <Button size="small" icon={Dices} onPress={() => onChange(thinkOne())}>
          Generate
        </Button>
        {value !== '' && <CopyButton label="Copy secret" text={value} />}
      </div>
    </div>
  );
}
