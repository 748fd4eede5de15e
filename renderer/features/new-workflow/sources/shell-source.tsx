import { Segmented } from '../../../ui/controls/segmented.tsx';
import type { Wishes } from '../wishes.ts';
import { OptionLine } from './option-line.tsx';
import { TextSource } from './text-source.tsx';

interface ShellSourceProps {
  readonly value: Wishes['shell'];
  readonly onChange: (value: Wishes['shell']) => void;
}

const choices = [
  { value: 'one', label: 'One step' },
  { value: 'split', label: 'A step for each section' },
] as const;

/** A script, as one step or by the sections under its comments. */
export function ShellSource({ value, onChange }: ShellSourceProps) {
  return (
    <>
      <OptionLine
        label="Steps"
        help={
          value.split
            ? 'Each part under a comment of its own at the top level is a process of its own: variables and directories of one part do not reach the next.'
            : 'The script is run as it is.'
        }
      >
        <Segmented
          label="Steps"
          value={value.split ? 'split' : 'one'}
          choices={choices}
          onChange={(choice) => onChange({ ...value, split: choice === 'split' })}
        />
      </OptionLine>
      <TextSource
        label="Script"
        placeholder={'#!/bin/sh\nset -e\n\n# Fetch\ncurl -fsS -o data.csv https://example.com/data.csv'}
        source={value}
        onChange={(source) => onChange({ ...value, ...source })}
      />
    </>
  );
}
