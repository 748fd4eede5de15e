import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import styles from './controls.module.css';

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: string;
    readonly content?: React.ReactNode;
  }[];
  readonly onChange: (value: Value) => void;
}

/** A choice of one among a few visible options. */
export function Segmented<Value extends string>({ label, value, choices, onChange }: SegmentedProps<Value>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={styles.segmented}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = [...keys];
        if (key !== undefined) onChange(key as Value);
      }}
    >
      {choices.map((choice) => (
        <ToggleButton
          key={choice.value}
          id={choice.value}
          className={styles.segment}
          {...(choice.content !== undefined && { 'aria-label': choice.label })}
        >
          {choice.content ?? choice.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
