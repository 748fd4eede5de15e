import { CircleCheck } from 'lucide-react';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';

/** The landing page of a login that was started in a separate tab. */
export function SignedInPage() {
  return (
    <Page title="Signed in">
      <EmptyState icon={CircleCheck} title="You are signed in">
        <p>You can close this tab and return to the previous one.</p>
      </EmptyState>
    </Page>
  );
}
