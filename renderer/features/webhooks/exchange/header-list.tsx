import styles from './exchange.module.css';

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
