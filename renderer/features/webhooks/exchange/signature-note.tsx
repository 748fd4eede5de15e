import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import styles from './exchange.module.css';

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
