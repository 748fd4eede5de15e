import { BookOpenText, Database } from 'lucide-react';
import { useState } from 'react';
import { CopyButton } from '../../ui/toasts.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/state.tsx';
import styles from './gateway.module.css';

interface CopiedProps {
  /** Label of the text. */
  readonly name: string;
  /** Label of the button. */
  readonly label: string;
  readonly text: string;
}

/** A text with a copy button. */
export function CopyableText({ name, label, text }: CopiedProps) {
  return (
    <figure className={styles.copied}>
      <ScrollArea aria-label={name}>
        <pre>{text}</pre>
      </ScrollArea>
      <CopyButton label={label} text={text} />
    </figure>
  );
}

/** The worked example of the documentation: a UUID that clients see as base64. */
const gatewayExample = `-- A key stored as 16 bytes and shown as base64.
CREATE DOMAIN app_uuid AS uuid;

-- Responses: domain to JSON.
CREATE FUNCTION app_uuid_to_json(app_uuid) RETURNS json
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT to_json(encode(decode(replace($1::text, '-', ''), 'hex'), 'base64'))
$$;
CREATE CAST (app_uuid AS json) WITH FUNCTION app_uuid_to_json(app_uuid) AS IMPLICIT;

-- Filters: text to domain.
CREATE FUNCTION app_uuid_from_text(text) RETURNS app_uuid
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT encode(decode($1, 'base64'), 'hex')::uuid
$$;
CREATE CAST (text AS app_uuid) WITH FUNCTION app_uuid_from_text(text) AS IMPLICIT;

-- Bodies: JSON to domain, through text.
CREATE FUNCTION app_uuid_from_json(json) RETURNS app_uuid
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT app_uuid_from_text($1 #>> '{}')
$$;
CREATE CAST (json AS app_uuid) WITH FUNCTION app_uuid_from_json(json) AS IMPLICIT;

CREATE TABLE clients (
  id   app_uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL
);

NOTIFY stepwright, 'reload schema';
`;

const command = 'engine gateway psql --file example.sql';

interface EmptyWithExampleProps {
  readonly title: string;
  /** Another way to begin. */
  readonly action?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** Empty state with the reason and an example to copy; it runs nothing. */
export function EmptyWithExample({ title, action, children }: EmptyWithExampleProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.nothing}>
      <EmptyState icon={Database} title={title}>
        <p>{children}</p>
        {action}
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
      <p>
        Click Reload to see the table, then use <b>Try a request</b> to read and write it.
      </p>
    </section>
  );
}
