import { TextField } from '../../../ui/controls/text-field.tsx';
import type { NewWorkflowInputs } from '../new-workflow-inputs.ts';
import styles from './sources.module.css';

interface BlankSourceProps {
  readonly value: NewWorkflowInputs['blank'];
  readonly onChange: (value: NewWorkflowInputs['blank']) => void;
}

/** A workflow with one step. */
export function BlankSource({ value, onChange }: BlankSourceProps) {
  return (
    <div className={styles.fields}>
      <TextField
        label="First step"
        value={value.step}
        onChange={(step) => onChange({ ...value, step })}
        description="Step name in the graph and logs"
      />
      <TextField
        label="Command"
        value={value.command}
        onChange={(command) => onChange({ ...value, command })}
        description="Shell command. Add more steps in the editor."
      />
      <TextField
        label="Description"
        isProse
        value={value.description}
        onChange={(description) => onChange({ ...value, description })}
        description="Optional"
      />
    </div>
  );
}
