import { Segmented } from '../../../ui/controls/segmented.tsx';
import type { NewWorkflowInputs } from '../new-workflow-inputs.ts';
import { OptionRow } from './option-line.tsx';
import { TextSource } from './text-source.tsx';

interface ShellSourceProps {
  readonly value: NewWorkflowInputs['shell'];
  readonly onChange: (value: NewWorkflowInputs['shell']) => void;
}

const choices = [
  { value: 'one', label: 'One step' },
  { value: 'split', label: 'One step per section' },
] as const;

/** A script, as one step or split at its comments. */
export function ShellSource({ value, onChange }: ShellSourceProps) {
  return (
    <>
      <OptionRow
        label="Steps"
        help={
          value.split
            ? 'Splits at top-level comments. Variables and directories do not carry over.'
            : 'Runs the script unchanged.'
        }
      >
        <Segmented
          label="Steps"
          value={value.split ? 'split' : 'one'}
          choices={choices}
          onChange={(choice) => onChange({ ...value, split: choice === 'split' })}
        />
      </OptionRow>
      <TextSource
        label="Script"
        placeholder={'#!/bin/sh\nset -e\n\n# Fetch\ncurl -fsS -o data.csv https://example.com/data.csv'}
        source={value}
        onChange={(source) => onChange({ ...value, ...source })}
      />
    </>
  );
}
