import type { DryFolderView, DryNamedValueView, DryValueView } from '../../../core/contract/runs/dry.ts';
import styles from './dry.module.css';

/** A resolved string; parts that are known only at run time are marked. */
export function DryValue({ value: { value, unresolved } }: { readonly value: DryValueView }) {
  if (unresolved === undefined)
    return value === '' ? <i className={styles.note}>empty</i> : <code>{value}</code>;
  return (
    <>
      <code className={styles.later}>{value}</code> <i className={styles.note}>known at run time</i>
    </>
  );
}

/** Names and values in two columns. */
export function DryValueList({ values }: { readonly values: readonly DryNamedValueView[] }) {
  return (
    <dl className={styles.values}>
      {values.map((each) => (
        <div key={each.name}>
          <dt>
            <code>{each.name}</code>
          </dt>
          <dd>
            <DryValue value={each} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface DryNamedValuesProps {
  readonly label: string;
  readonly values: readonly DryNamedValueView[];
}

/** A labeled list of names and values; renders nothing if it is empty. */
export function DryNamedValues({ label, values }: DryNamedValuesProps) {
  return (
    values.length > 0 && (
      <DryDetail label={label}>
        <DryValueList values={values} />
      </DryDetail>
    )
  );
}

/** A directory, and whether the run would create it. */
export function DryFolder({ folder }: { readonly folder: DryFolderView }) {
  return (
    <>
      <DryValue value={folder} />
      {folder.exists === false && <i className={styles.note}> created by the run</i>}
    </>
  );
}

interface DryFactProps {
  readonly label: string;
  readonly children: React.ReactNode;
}

/** A labeled part of a step or plan. */
export function DryDetail({ label, children }: DryFactProps) {
  return (
    <div className={styles.fact}>
      <span className={styles.label}>{label}</span>
      <div>{children}</div>
    </div>
  );
}
