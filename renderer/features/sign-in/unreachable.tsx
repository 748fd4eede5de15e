import { RotateCw } from 'lucide-react';
import { toAppError } from '../../../core/base/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import styles from './sign-in.module.css';
import { Problem } from './problem.tsx';

interface UnreachableProps {
  readonly error: unknown;
  readonly isConnecting: boolean;
  readonly onRetry: () => void;
}

/** Shown when the login methods cannot be loaded because the server is unreachable. */
export function ServerUnreachable({ error, isConnecting, onRetry }: UnreachableProps) {
  return (
    <div className={styles.ways}>
      <Problem>{toAppError(error).message}</Problem>
      <p className={styles.text}>Retrying automatically.</p>
      <Button icon={RotateCw} isPending={isConnecting} onPress={onRetry}>
        Try now
      </Button>
    </div>
  );
}
