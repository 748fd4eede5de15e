import { FileUp, X } from 'lucide-react';
import { FileTrigger, ListBox, ListBoxItem } from 'react-aria-components';
import { useMemo } from 'react';
import { listTargets } from '../../../core/edit/import/import-makefile.ts';
import { parseMakefile } from '../../../core/edit/import/parse-makefile.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Notice } from '../../ui/state.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { Segmented } from '../../ui/choices.tsx';
import controls from '../../ui/fields.module.css';
import controlsStyles from '../../ui/controls.module.css';
import styles from './new-workflow.module.css';
import { preserveLineBreaks, emptySource, readTextFile, type SourceText } from './dropped-files.tsx';
import { getCrontabGroup, type CrontabKind, type NewWorkflowInputs } from './proposals.ts';

interface OptionLineProps {
  readonly label: string;
  readonly help: string;
  readonly children: React.ReactNode;
}

/** A select above a text, with a sentence about the choice. */
function OptionRow({ label, help, children }: OptionLineProps) {
  return (
    <div className={styles.option}>
      <div className={styles.optionHead}>
        <span aria-hidden="true">{label}</span>
        {children}
      </div>
      <p className={styles.optionHelp}>{help}</p>
    </div>
  );
}

interface TextSourceProps {
  readonly label: string;
  readonly placeholder: string;
  readonly source: SourceText;
  readonly onChange: (source: SourceText) => void;
}

/** A text from a file, pasted or typed. */
export function TextSource({ label, placeholder, source, onChange }: TextSourceProps) {
  const choose = async (files: FileList | null): Promise<void> => {
    const file = files?.[0];
    if (!file) return;
    const read = await readTextFile(file);
    if (read.ok) onChange(read.value);
    else showToast('error', read.error);
  };
  return (
    <div className={styles.textSource}>
      <div className={styles.fileLine}>
        <FileTrigger onSelect={(files) => void choose(files)}>
          <Button icon={FileUp} size="small">
            Choose file…
          </Button>
        </FileTrigger>
        <span className={styles.fileHint}>
          {source.fileName === '' ? 'or drop it here, or paste below' : <code>{source.fileName}</code>}
        </span>
        {source.text !== '' && (
          <IconButton label="Clear" icon={X} size="small" onPress={() => onChange(emptySource)} />
        )}
      </div>
      <MultilineField
        label={label}
        placeholder={placeholder}
        text={source.text}
        onChange={(edited) => onChange({ ...source, text: preserveLineBreaks(source.text, edited) })}
      />
    </div>
  );
}

interface CrontabSourceProps {
  readonly value: NewWorkflowInputs['crontab'];
  readonly onChange: (value: NewWorkflowInputs['crontab']) => void;
  /** Jobs that start in the same minute, one sentence each. */
  readonly collisions: readonly string[];
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

/** A crontab, its kind, and the group and start times of its workflows. */
export function CrontabSource({ value, onChange, collisions, children }: CrontabSourceProps) {
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
      {value.text.trim() !== '' && (
        <>
          <TextField
            label="Group"
            value={getCrontabGroup(value)}
            onChange={(group) => onChange({ ...value, group })}
            description="Heading in lists. The workflows also get the tag cron."
          />
          <StartTimes
            collisions={collisions}
            isSpread={value.spread}
            onSpread={(spread) => onChange({ ...value, spread })}
          />
        </>
      )}
      {children}
    </>
  );
}

interface StartTimesProps {
  readonly collisions: readonly string[];
  readonly isSpread: boolean;
  readonly onSpread: (isSpread: boolean) => void;
}

/** Jobs that start in the same minute, and the action that moves them apart. */
function StartTimes({ collisions, isSpread, onSpread }: StartTimesProps) {
  if (collisions.length === 0 && !isSpread) return null;
  return (
    <div className={styles.startTimesNotice}>
      <Notice tone="info">
        <div className={styles.startTimes}>
          {isSpread && <p>Jobs of the same minute now start in different minutes of the hour.</p>}
          {collisions.length > 0 && (
            <ul aria-label="Jobs that start together">
              {collisions.map((collision) => (
                <li key={collision}>{collision}</li>
              ))}
            </ul>
          )}
          <Button size="small" onPress={() => onSpread(!isSpread)}>
            {isSpread ? 'Keep original times' : 'Spread start times'}
          </Button>
        </div>
      </Notice>
    </div>
  );
}

interface ShellSourceProps {
  readonly value: NewWorkflowInputs['shell'];
  readonly onChange: (value: NewWorkflowInputs['shell']) => void;
}

const shellChoices = [
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
          choices={shellChoices}
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

interface MakefileSourceProps {
  readonly value: NewWorkflowInputs['makefile'];
  readonly onChange: (value: NewWorkflowInputs['makefile']) => void;
}

/** A makefile and the target to run. */
export function MakefileSource({ value, onChange }: MakefileSourceProps) {
  const { targets, goal } = useMemo(
    () => ({ targets: listTargets(value.text), goal: parseMakefile(value.text).goal }),
    [value.text],
  );
  return (
    <>
      <TextSource
        label="Makefile"
        placeholder={'# Build and test\nall: test\n\ntest: build\n\tnpm test'}
        source={value}
        onChange={(source) => onChange({ ...value, ...source, target: undefined })}
      />
      {targets.length > 0 && (
        <div className={styles.targets}>
          <span className={controls.label} id="target-label">
            Target
          </span>
          <ListBox
            aria-labelledby="target-label"
            className={styles.cards}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[value.target ?? goal ?? '']}
            onSelectionChange={(keys) => {
              const target = keys === 'all' ? undefined : keys.values().next().value;
              if (target !== undefined) onChange({ ...value, target: String(target) });
            }}
          >
            {targets.map(({ target, comment }) => (
              <ListBoxItem key={target} id={target} textValue={target} className={styles.card}>
                <div className={styles.cardHead}>
                  <span>{target}</span>
                  {target === goal && <span className={controlsStyles.tag}>default</span>}
                </div>
                {comment !== undefined && <span className={styles.cardText}>{comment}</span>}
              </ListBoxItem>
            ))}
          </ListBox>
        </div>
      )}
    </>
  );
}
