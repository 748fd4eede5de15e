import { Segmented } from '../../../ui/controls/segmented.tsx';
import type { CrontabKind, Wishes } from '../wishes.ts';
import { OptionLine } from './option-line.tsx';
import { TextSource } from './text-source.tsx';

interface CrontabSourceProps {
  readonly value: Wishes['crontab'];
  readonly onChange: (value: Wishes['crontab']) => void;
  /** The list of its jobs. */
  readonly children: React.ReactNode;
}

const choices: readonly { value: CrontabKind; label: string }[] = [
  { value: 'detect', label: 'Detect' },
  { value: 'user', label: "A user's" },
  { value: 'system', label: "The system's" },
];

const help: Readonly<Record<CrontabKind, string>> = {
  detect: "Taken for the system's when all its lines name a user such as root before the command.",
  user: 'Of "crontab -l": five fields of time, then the command.',
  system: 'Of /etc/crontab or /etc/cron.d: a user between the time and the command.',
};

/** A crontab, and whose it is. */
export function CrontabSource({ value, onChange, children }: CrontabSourceProps) {
  return (
    <>
      <OptionLine label="Format" help={help[value.kind]}>
        <Segmented
          label="Format"
          value={value.kind}
          choices={choices}
          onChange={(kind) => onChange({ ...value, kind })}
        />
      </OptionLine>
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
