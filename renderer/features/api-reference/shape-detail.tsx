import type { ShapeEntry } from '../../../core/contract/reference/api-reference.ts';
import styles from './api-reference.module.css';
import { FieldTable, TypeLabel } from './field-table.tsx';

/** A shape that several responses use. */
export function ShapeDetail({ shape: { name, type, fields } }: { readonly shape: ShapeEntry }) {
  return (
    <article className={styles.article}>
      <header className={styles.head}>
        <h2 className={styles.name}>{name}</h2>
        <p className={styles.summary}>Schema shared by several operations</p>
      </header>
      {fields.length > 0 ? (
        <FieldTable fields={fields} />
      ) : (
        <p className={styles.note}>
          <TypeLabel type={type} />
        </p>
      )}
    </article>
  );
}
