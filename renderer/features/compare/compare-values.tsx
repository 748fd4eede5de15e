import { Equal } from 'lucide-react';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import table from '../../ui/list/table.module.css';
import { textOf } from '../run/values/json-value.tsx';
import type { ComparedValue } from './compare-runs.ts';
import styles from './compare.module.css';

interface CompareValuesProps {
  readonly params: readonly ComparedValue[];
  readonly outputs: readonly ComparedValue[];
}

/** Parameters and outputs of both runs, by name. */
export function CompareValues({ params, outputs }: CompareValuesProps) {
  if (params.length + outputs.length === 0)
    return <EmptyState icon={Equal} title="No parameters or outputs" />;
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.values}`}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <Group title="Parameters" values={params} />
        <Group title="Outputs" values={outputs} />
      </table>
    </div>
  );
}

function Group({ title, values }: { readonly title: string; readonly values: readonly ComparedValue[] }) {
  if (values.length === 0) return null;
  return (
    <tbody>
      <tr className={styles.group}>
        <th scope="rowgroup" colSpan={3}>
          {title}
        </th>
      </tr>
      {values.map(({ name, left, right, differs }) => (
        <tr key={name} data-differs={differs || undefined}>
          <td>
            <code>{name}</code>
            {differs && <span className={styles.changed}>different</span>}
          </td>
          <Value value={left} />
          <Value value={right} />
        </tr>
      ))}
    </tbody>
  );
}

const Value = ({ value }: { readonly value: unknown }) => (
  <td>{value === undefined ? <span className={table.faint}>not set</span> : <pre>{textOf(value)}</pre>}</td>
);
