import { Component } from 'react';
import { CrashedPage } from './broken-page.tsx';

interface ErrorBoundaryProps {
  /** A change, for example of the page's address, renders the content again. */
  readonly resetKey: string;
  readonly children: React.ReactNode;
}

/** Isolates a crash to one page, and shows a report that can be copied. */
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
