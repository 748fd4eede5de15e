import { TextField } from '../../../ui/controls/text-field.tsx';
import type { Wishes } from '../wishes.ts';
import styles from './sources.module.css';

interface BlankSourceProps {
  readonly value: Wishes['blank'];
  readonly onChange: (value: Wishes['blank']) => void;
}

/** A workflow of one step. */
export function BlankSource({ value, onChange }: BlankSourceProps) {
  return (
    <div className={styles.fields}>
      <TextField
        label="First step"
        value={value.step}
        onChange={(step) => onChange({ ...value, step })}
        description="What it is called in the graph and in the logs."
      />
      <TextField
        label="Command"
        value={value.command}
        onChange={(command) => onChange({ ...value, command })}
        description="What it runs, as in a shell. Further steps are added in the editor."
      />
      <TextField
        label="Description"
        isProse
        value={value.description}
        onChange={(description) => onChange({ ...value, description })}
        description="What the workflow is for; it may stay empty."
      />
    </div>
  );
}
