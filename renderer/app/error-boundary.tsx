import { Component } from 'react';
import { Button } from '../ui/controls/button.tsx';
import styles from './shell.module.css';

interface ErrorBoundaryProps {
  /** A new value, such as the address of another page, gives the content another try. */
  readonly resetKey: string;
  readonly children: React.ReactNode;
}

/** Keeps a defect in one page from taking the window with it, and shows a report that can be copied. */
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
    return (
      <div className={styles.broken} role="alert">
        <h1>This page has a defect</h1>
        <p>Your workflows and runs are not affected. The report below says where it happened.</p>
        <pre>{failure.stack ?? failure.message}</pre>
        <div>
          <Button look="primary" onPress={() => this.setState({ failure: undefined })}>
            Try again
          </Button>
        </div>
      </div>
    );
  }
}
