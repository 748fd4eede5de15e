import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useSystemInfo } from '../api/queries/operating/system-queries.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { systemClock } from './clock.ts';
import styles from './shell.module.css';

/** Lines of a stack that say something about the place. */
const stackLines = 20;

/** What a report of a defect is made of. */
interface Defect {
  readonly failure: Error;
  readonly version: string | undefined;
  /** What is behind the `#`; its query may hold what somebody searched for, and is left out. */
  readonly place: string;
  readonly browser: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The report as text: nothing that people have typed, no names of servers. */
export function describeDefect({ failure, version, place, browser, at }: Defect): string {
  const stack = (failure.stack ?? failure.message).replaceAll(/\w+:\/\/[^/\s)]+\//g, '/');
  return [
    `Stepwright ${version ?? '(version unknown)'}`,
    `Page: ${place.split('?', 1)[0] ?? ''}`,
    `Time: ${at}`,
    `Browser: ${browser}`,
    '',
    ...stack.split('\n').slice(0, stackLines),
  ].join('\n');
}

interface BrokenPageProps {
  readonly failure: Error;
  readonly onRetry: () => void;
}

/** What browsers say when a part of the program is not where it was, as after an update of the server. */
const isMissingPart = ({ message }: Error): boolean =>
  /dynamically imported module|importing a module script failed|unable to preload/i.test(message);

/** Stands where a page has failed. */
export function BrokenPage({ failure, onRetry }: BrokenPageProps) {
  const version = useSystemInfo().data?.version;
  const [at] = useState(() => new Date(systemClock.now()).toISOString());
  const report = describeDefect({
    failure,
    version,
    place: location.hash,
    browser: navigator.userAgent,
    at,
  });
  const isMissing = isMissingPart(failure);
  return (
    <div className={styles.broken} role="alert">
      <h1>{isMissing ? 'Failed to load this page' : 'Something went wrong'}</h1>
      <p>
        {isMissing
          ? 'The engine may have been updated since this window was opened. Reload to get the new version. Your workflows and runs are not affected.'
          : 'Your workflows and runs are not affected. The report below shows the error.'}
      </p>
      <pre>{report}</pre>
      <div className={styles.brokenActions}>
        {isMissing ? (
          // Trying again would not ask for it again: browsers keep that it was missing.
          <Button look="primary" icon={RotateCw} onPress={() => location.reload()}>
            Reload
          </Button>
        ) : (
          <Button look="primary" icon={RotateCw} onPress={onRetry}>
            Try again
          </Button>
        )}
        <CopyButton label="Copy report" text={report} />
      </div>
    </div>
  );
}
