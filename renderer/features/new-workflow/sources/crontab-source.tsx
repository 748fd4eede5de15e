import { Segmented } from '../../../ui/controls/segmented.tsx';
import type { CrontabKind, NewWorkflowInputs } from '../new-workflow-inputs.ts';
import { OptionRow } from './option-line.tsx';
import { TextSource } from './text-source.tsx';

interface CrontabSourceProps {
  readonly value: NewWorkflowInputs['crontab'];
  readonly onChange: (value: NewWorkflowInputs['crontab']) => void;
  /** The list of its jobs. */
  readonly children: React.ReactNode;
}

const choices: readonly { value: CrontabKind; label: string }[] = [
  { value: 'detect', label: 'Auto-detect' },
  { value: 'user', label: 'User crontab' },
  { value: 'system', label: 'System crontab' },
];

const help: Readonly<Record<CrontabKind, string>> = {
  detect: 'Auto-detects system crontabs (with a user column).',
  user: 'As in "crontab -l": five time fields and a command.',
  system: 'As in /etc/crontab: with a user before the command.',
};

/** A crontab and its kind. */
export function CrontabSource({ value, onChange, children }: CrontabSourceProps) {
  return (
    <>
      <OptionRow label="Format" help={help[value.kind]}>
        <Segmented
          label="Format"
          value={value.kind}
          choices={choices}
          onChange={(kind) => onChange({ ...value, kind })}
        />
      </OptionRow>
      <TextSource
        label="Crontab"
        placeholder={'# Back up the database\n30 6 * * 1-5 /usr/local/bin/backup.sh'}
        source={value}
        onChange={(source) => onChange({ ...value, ...source })}
      />
      {children}
    </>
  );
}
