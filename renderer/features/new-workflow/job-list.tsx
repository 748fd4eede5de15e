import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { Input, Label, Text, TextField } from 'react-aria-components';
import { CircleAlert, CircleCheck, Eye } from 'lucide-react';
import { Link } from 'wouter';
import { pluralize } from '../../../core/base/text.ts';
import { commentOutLines, hasUserColumn } from '../../../core/edit/import/crontab.ts';
import controls from '../../ui/fields.module.css';
import { paths } from '../../navigation/address.ts';
import { formatCron } from '../../format/time.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { CopyButton } from '../../ui/toasts.tsx';
import styles from './new-workflow.module.css';
import type { Candidate, NewWorkflowInputs } from './proposals.ts';

interface NameFieldProps {
  readonly label: string;
  /** Whether the label is visible to screen readers only. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly error: string | undefined;
  readonly description?: string;
  readonly autoFocus?: boolean;
  readonly isReadOnly?: boolean;
  readonly onChange: (value: string) => void;
}

/** The name of a workflow file, validated while typing. */
export function NameField(props: NameFieldProps) {
  const { label, isLabelHidden = false, error, description, ...field } = props;
  const message = error ?? description;
  return (
    <TextField
      {...field}
      isInvalid={error !== undefined}
      className={`${controls.field} ${styles.nameField}`}
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {!isLabelHidden && <Label className={controls.label}>{label}</Label>}
      <Input
        className={`${controls.input} ${styles.nameInput}`}
        spellCheck="false"
        autoCapitalize="none"
        autoComplete="off"
        // A proposed name is replaced by typing.
        {...(field.autoFocus && { onFocus: ({ target }) => target.select() })}
      />
      {message !== undefined && (
        <Text slot="description" className={error === undefined ? controls.help : styles.fieldError}>
          {message}
        </Text>
      )}
    </TextField>
  );
}

/** With fewer jobs, all are rendered. */
const maxDrawn = 40;

interface JobListProps {
  readonly jobs: readonly Candidate[];
  /** Index of the shown job. */
  readonly shown: number;
  readonly onShow: (index: number) => void;
  readonly onName: (index: number, name: string) => void;
  readonly onChoose: (indexes: readonly number[], isChosen: boolean) => void;
}

/** The jobs of a crontab: which ones to create, and their names. */
export function JobList({ jobs, shown, onShow, onName, onChoose }: JobListProps) {
  const open = jobs.filter(({ outcome }) => outcome?.ok !== true);
  const isAll = open.every(({ isChosen }) => isChosen);
  const scroll = useRef<HTMLUListElement>(null);
  const isVirtual = jobs.length > maxDrawn;
  // oxlint-disable-next-line react/incompatible-library -- its results are never memoized
  const virtual = useVirtualizer({
    count: isVirtual ? jobs.length : 0,
    getScrollElement: () => scroll.current,
    // Name, schedule and command
    estimateSize: () => 95,
    overscan: 4,
  });
  const rows = virtual.getVirtualItems();
  return (
    <section className={styles.jobs} aria-label="Jobs">
      <div className={styles.jobsHead}>
        <h2>{pluralize(jobs.length, 'job')}</h2>
        {open.length > 1 && (
          <Button
            variant="quiet"
            size="small"
            onPress={() =>
              onChoose(
                open.map(({ index }) => index),
                !isAll,
              )
            }
          >
            {isAll ? 'Deselect all' : 'Select all'}
          </Button>
        )}
      </div>
      <ul ref={scroll} data-long={isVirtual || undefined}>
        {isVirtual && <li role="presentation" style={{ height: rows[0]?.start ?? 0 }} />}
        {(isVirtual ? rows.map(({ index }) => jobs[index]!) : jobs).map((candidate) => (
          <li
            key={candidate.index}
            ref={isVirtual ? virtual.measureElement : undefined}
            data-index={candidate.index}
            data-shown={candidate.index === shown}
            aria-setsize={jobs.length}
            aria-posinset={candidate.index + 1}
            className={styles.job}
          >
            <Job candidate={candidate} onShow={onShow} onName={onName} onChoose={onChoose} />
          </li>
        ))}
        {isVirtual && (
          <li role="presentation" style={{ height: virtual.getTotalSize() - (rows.at(-1)?.end ?? 0) }} />
        )}
      </ul>
    </section>
  );
}

type JobProps = Omit<JobListProps, 'jobs' | 'shown'> & { readonly candidate: Candidate };

function Job({ candidate, onShow, onName, onChoose }: JobProps) {
  const { index, name, nameError, isChosen, outcome, job } = candidate;
  const isCreated = outcome?.ok === true;
  return (
    <>
      <input
        type="checkbox"
        aria-label={`Create ${name}`}
        checked={isChosen}
        disabled={isCreated}
        onChange={(event) => onChoose([index], event.target.checked)}
      />
      <div className={styles.jobText}>
        <NameField
          label={`Name of job ${index + 1}`}
          isLabelHidden
          value={name}
          error={nameError}
          isReadOnly={isCreated}
          onChange={(typed) => onName(index, typed)}
        />
        {job && (
          <>
            <span>{formatCron(job.schedule)}</span>
            <code>{job.command}</code>
          </>
        )}
        {isCreated && (
          <span className={styles.created}>
            <CircleCheck size={14} aria-hidden="true" /> Created.{' '}
            <Link href={paths.editor(outcome.fileName)}>Open {outcome.fileName} in the editor</Link>
          </span>
        )}
        {outcome?.ok === false && (
          <span className={styles.refused}>
            <CircleAlert size={14} aria-hidden="true" /> {outcome.reason}
          </span>
        )}
      </div>
      <IconButton label={`Preview ${name}`} icon={Eye} size="small" onPress={() => onShow(index)} />
    </>
  );
}

interface CrontabResultProps {
  readonly crontab: NewWorkflowInputs['crontab'];
  readonly candidates: readonly Candidate[];
}

/** After the import of a crontab: the jobs that cron still runs, too, and how to end that. */
export function CrontabResult({ crontab: { text, kind, fileName }, candidates }: CrontabResultProps) {
  const lines = candidates
    .flatMap(({ job, outcome }) => (job !== undefined && outcome?.ok === true ? job.line : []))
    .toSorted((a, b) => a - b);
  const isSystem = kind === 'detect' ? hasUserColumn(text) : kind === 'system';
  const edited = commentOutLines(text, new Set(lines));
  const editedLines = edited.split('\n');
  return (
    <section className={styles.result} aria-label="Import result">
      <div className={styles.head}>
        <h2 role="status" className={styles.finished}>
          <CircleCheck size={16} aria-hidden="true" />
          {pluralize(lines.length, 'workflow')} created
        </h2>
      </div>
      <div className={styles.stillInCron}>
        <h3>Still in cron</h3>
        <p>
          Cron runs {lines.length === 1 ? 'this job' : 'these jobs'} too. Copy the edited crontab and replace
          the text of <code>{isSystem ? fileName || '/etc/crontab' : 'crontab -e'}</code>.
        </p>
        <CopyButton label="Copy edited crontab" text={edited} isLabeled />
      </div>
      <ScrollArea className={styles.cronLines} aria-label="Lines to comment out">
        <ol>
          {lines.map((line) => (
            <li key={line} value={line}>
              <code>{editedLines[line - 1]!.trim()}</code>
            </li>
          ))}
        </ol>
      </ScrollArea>
    </section>
  );
}
