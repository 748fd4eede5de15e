import { Link } from 'wouter';
import type { FieldEntry } from '../../../core/contract/reference/api-reference.ts';
import { paths } from '../../app/paths.ts';
import styles from './api-reference.module.css';
import { findShape } from './reference-entries.ts';
import { InlineText } from '../../ui/text/words.tsx';

interface FieldTableProps {
  readonly fields: readonly FieldEntry[];
  /** Whether the fields belong to different parts of a request. */
  readonly hasPlaces?: boolean;
}

/** Fields with their types and descriptions. */
export function FieldTable({ fields, hasPlaces = false }: FieldTableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.nameColumn}>
            Name
          </th>
          {hasPlaces && (
            <th scope="col" className={styles.place}>
              In
            </th>
          )}
          <th scope="col" className={styles.type}>
            Type
          </th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, place, type, required, meaning }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {!required && <span className={styles.optional}>optional</span>}
            </th>
            {hasPlaces && <td className={styles.muted}>{place}</td>}
            <td className={styles.muted}>
              <TypeLabel type={type} />
            </td>
            <td>
              <InlineText text={meaning} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A type as text; its shapes link to their own entries. */
export function TypeLabel({ type }: { readonly type: string }) {
  return type.split(/\b([A-Z]\w+)\b/).map((part, index) =>
    index % 2 === 1 && findShape(part) ? (
      <Link key={index} href={paths.apiReference(part)}>
        {part}
      </Link>
    ) : (
      part
    ),
  );
}
