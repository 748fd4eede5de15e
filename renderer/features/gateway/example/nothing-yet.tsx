import { BookOpenText, Database } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { CopyableText } from '../copied.tsx';
import styles from '../gateway.module.css';
import { gatewayExample } from './worked-example.ts';

const command = 'engine gateway psql --file example.sql';

interface EmptyWithExampleProps {
  readonly title: string;
  readonly children: React.ReactNode;
}

/** Empty state with the reason and an example to copy; it runs nothing. */
export function EmptyWithExample({ title, children }: EmptyWithExampleProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.nothing}>
      <EmptyState icon={Database} title={title}>
        <p>{children}</p>
        {!isShown && (
          <Button icon={BookOpenText} onPress={() => setShown(true)}>
            Show example
          </Button>
        )}
      </EmptyState>
      {isShown && <Example />}
    </div>
  );
}

function Example() {
  return (
    <section className={styles.example} aria-label="Example">
      <p>
        A table with a UUID key that clients see as base64. Save this as <code>example.sql</code>:
      </p>
      <CopyableText name="SQL" label="Copy SQL" text={gatewayExample} />
      <p>Run it in the gateway database:</p>
      <CopyableText name="Command" label="Copy command" text={command} />
      <p>Click Reload to see the table, then use “Try a request” to read and write it.</p>
    </section>
  );
}
