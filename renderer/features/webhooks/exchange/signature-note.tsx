import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import styles from './exchange.module.css';

/** How a receiver checks the signature, as a command that needs the body in a file. */
const command = `openssl dgst -sha256 -hmac "$SECRET" body.txt`;

/** What the signature of a delivery is made of, and how it is checked. */
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
        <p className={styles.note}>
          There is none: the webhook has no secret, so its receiver cannot tell who sends. Give it a secret to
          have every delivery signed.
        </p>
      ) : (
        <>
          <p className={styles.note}>
            <code>X-Hub-Signature-256</code> is <code>sha256=</code> and the HMAC of the very bytes of the
            body, with the secret as key, in hexadecimal digits. The receiver computes the same and compares
            in constant time; a body that was parsed and written again has another signature.
          </p>
          <div className={styles.partHead}>
            <code className={styles.note}>{command}</code>
            <CopyButton label="Copy the command that checks it" text={command} />
          </div>
        </>
      )}
    </section>
  );
}
