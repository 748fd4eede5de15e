import { CircleAlert, CircleCheck, Eye } from 'lucide-react';
import { Link } from 'wouter';
import { pluralize } from '../../../../core/base/text/pluralize.ts';
import { paths } from '../../../app/paths.ts';
import { describeCron } from '../../../format/cron.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import type { Candidate } from '../candidates.ts';
import { NameField } from '../name-field.tsx';
import styles from './sources.module.css';

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
      <ul>
        {jobs.map((candidate) => (
          <li key={candidate.index} data-shown={candidate.index === shown} className={styles.job}>
            <Job candidate={candidate} onShow={onShow} onName={onName} onChoose={onChoose} />
          </li>
        ))}
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
            <span>{describeCron(job.schedule)}</span>
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
