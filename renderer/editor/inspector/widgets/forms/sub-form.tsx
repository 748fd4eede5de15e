import { useContext, useState } from 'react';
import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import type { FieldSpec } from '../../form/field-specs.ts';
import { matchesFilter, useForm, FieldSearchContext } from '../../form/form-context.ts';
import styles from '../../inspector.module.css';

/** Up to this number all fields are shown; beyond it only the set fields, filled up to a few others. */
const maxConcurrent = 6;
const fewest = 3;

/** The fields of a map. @param path path of the map */
export function SubForm({
  fields,
  path,
}: {
  readonly fields: readonly FieldSpec[];
  readonly path: AuthoredPath;
}) {
  const form = useForm();
  const searchText = useContext(FieldSearchContext);
  const [withAll, setWithAll] = useState(false);
  const isThere = ({ name }: FieldSpec): boolean => {
    const at = [...path, name];
    return form.stateOf(at) !== undefined || form.isMixed(at) || form.issuesAt(at, []).length > 0;
  };
  const set = new Set(fields.filter(isThere));
  const found = new Set(searchText === '' ? [] : fields.filter((field) => matchesFilter(field, searchText)));
  const spare = fields.filter((field) => !set.has(field)).slice(0, Math.max(0, fewest - set.size));
  const isShort = fields.length <= maxConcurrent;
  const listed = fields.filter(
    (field) => isShort || withAll || set.has(field) || found.has(field) || spare.includes(field),
  );
  const hidden = fields.length - listed.length;
  return (
    <>
      {listed.map((field) => (
        <form.Row key={field.name} spec={field} path={[...path, field.name]} />
      ))}
      {(hidden > 0 || withAll) && (
        <button type="button" className={styles.more} onClick={() => setWithAll(!withAll)}>
          {withAll ? 'Show less' : `${hidden} more ${hidden === 1 ? 'field' : 'fields'}`}
        </button>
      )}
    </>
  );
}
