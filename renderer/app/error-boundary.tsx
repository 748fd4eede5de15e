import { RotateCw } from 'lucide-react';
import { useState, Component } from 'react';
import { useSystemInfo } from '../api/system-queries.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/toasts.tsx';
import { systemClock } from '../base/clock.ts';
import { readAddress } from '../navigation/address.ts';
import styles from './shell.module.css';

/** Number of stack lines in a report. */
const stackLines = 20;

/** Contents of a bug report. */
interface CrashReport {
  readonly failure: Error;
  readonly version: string | undefined;
  /** Address of the page; its query, which may contain search terms, is omitted. */
  readonly location: string;
  readonly browser: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Formats the report as text; it contains no user input and no server names. */
export function formatCrashReport({ failure, version, location, browser, at }: CrashReport): string {
  const stack = (failure.stack ?? failure.message).replaceAll(/\w+:\/\/[^/\s)]+\//g, '/');
  return [
    `Stepwright ${version ?? '(version unknown)'}`,
    `Page: ${location.split('?', 1)[0] ?? ''}`,
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

/** Whether a chunk of the program failed to load, for example after an update of the server. */
const isMissingChunk = ({ message }: Error): boolean =>
  /dynamically imported module|importing a module script failed|unable to preload/i.test(message);

/** Shown in place of a page that has crashed. */
function CrashedPage({ failure, onRetry }: BrokenPageProps) {
  const version = useSystemInfo().data?.version;
  const [at] = useState(() => new Date(systemClock.now()).toISOString());
  const report = formatCrashReport({
    failure,
    version,
    location: readAddress(),
    browser: navigator.userAgent,
    at,
  });
  const isMissing = isMissingChunk(failure);
  return (
    <div className={styles.broken} role="alert">
      <h1>{isMissing ? 'Failed to load this page' : 'Something went wrong'}</h1>
      <p>
        {isMissing
          ? 'Stepwright may have been updated. Reload to get the new version. Your workflows and runs are not affected.'
          : 'Your workflows and runs are not affected. The report below shows the error.'}
      </p>
      <pre>{report}</pre>
      <div className={styles.brokenActions}>
        {isMissing ? (
          // A retry would not request the chunk again, because browsers cache the failure.
          <Button variant="primary" icon={RotateCw} onPress={() => location.reload()}>
            Reload
          </Button>
        ) : (
          <Button variant="primary" icon={RotateCw} onPress={onRetry}>
            Try again
          </Button>
        )}
        <CopyButton label="Copy report" text={report} />
      </div>
    </div>
  );
}

interface ErrorBoundaryProps {
  /** A change, for example of the page's address, renders the content again. */
  readonly resetKey: string;
  readonly children: React.ReactNode;
}

/** Isolates a crash to one page, and renders a report that can be copied. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failure: Error | undefined }> {
  override state: { readonly failure: Error | undefined } = { failure: undefined };

  static getDerivedStateFromError(failure: unknown): { failure: Error } {
    return { failure: failure instanceof Error ? failure : new Error(String(failure)) };
  }

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (before.resetKey !== this.props.resetKey && this.state.failure) this.setState({ failure: undefined });
  }

  override render(): React.ReactNode {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    return <CrashedPage failure={failure} onRetry={() => this.setState({ failure: undefined })} />;
  }
}
