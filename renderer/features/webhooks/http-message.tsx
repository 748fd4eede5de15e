import { useId, useMemo, useState } from 'react';
import { parseExactJson } from '../../../core/spec/expand.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import styles from './webhooks.module.css';

/**
 * Formats a JSON body, or the `payload` field of a form, with line breaks and unchanged numbers. Undefined for
 * other bodies.
 */
function prettyPrintBody(body: string): string | undefined {
  const json = body.startsWith('payload=') ? (new URLSearchParams(body).get('payload') ?? '') : body;
  try {
    return JSON.stringify(parseExactJson(json), null, 2);
  } catch {
    return undefined;
  }
}

interface BodyViewProps {
  readonly title: string;
  readonly body: string;
  /** Why it is truncated. */
  readonly note?: string | undefined;
}

const bodyViews = [
  { value: 'laid-out', label: 'Formatted' },
  { value: 'raw', label: 'Raw' },
] as const;

/** A body: JSON is formatted for reading, with the raw body on demand. */
export function BodyView({ title, body, note }: BodyViewProps) {
  const id = useId();
  const [variant, setVariant] = useState<(typeof bodyViews)[number]['value']>('laid-out');
  const laidOut = useMemo(() => prettyPrintBody(body), [body]);
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div className={styles.partHead}>
        <h3 id={id}>{title}</h3>
        <span>
          {laidOut !== undefined && (
            <Segmented
              label={`Format of ${title.toLowerCase()}`}
              value={variant}
              choices={bodyViews}
              onChange={setVariant}
            />
          )}{' '}
          <CopyButton label={`Copy ${title.toLowerCase()}`} text={body} />
        </span>
      </div>
      {body === '' ? (
        <p className={styles.note}>Empty</p>
      ) : (
        <ScrollArea className={styles.body} aria-labelledby={id}>
          <pre>{variant === 'laid-out' ? (laidOut ?? body) : body}</pre>
        </ScrollArea>
      )}
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </section>
  );
}

/** Headers of a request or response, as sent. */
export function HeaderList({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return (
    <dl className={styles.headers}>
      {Object.entries(headers).map(([name, value]) => (
        <Header key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function Header({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** A command that verifies the signature of a body in a file. */
const command = `openssl dgst -sha256 -hmac "$SECRET" body.txt`;

/** Describes how the signature of a delivery is computed and verified. */
export function SignatureNote({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const signature = Object.entries(headers).find(
    ([name]) => name.toLowerCase() === 'x-hub-signature-256',
  )?.[1];
  return (
    <section className={styles.part} aria-label="Signature">
      <div className={styles.partHead}>
        <h3>Signature</h3>
      </div>
      {signature === undefined ? (
        <p className={styles.note}>Not signed. Set a secret to sign every delivery.</p>
      ) : (
        <>
          <p className={styles.note}>
            <code>X-Hub-Signature-256</code> is <code>sha256=</code> plus the hex HMAC-SHA256 of the raw body,
            with the secret as the key.
          </p>
          <div className={styles.partHead}>
            <code className={styles.note}>{command}</code>
            <CopyButton label="Copy command" text={command} />
          </div>
        </>
      )}
    </section>
  );
}
