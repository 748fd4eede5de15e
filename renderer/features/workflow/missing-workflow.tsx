import { paths } from '../../app/paths.ts';
import { MissingState } from '../../ui/state/missing-state.tsx';

/** Shown for a workflow that does not exist. */
export const MissingWorkflow = ({ fileName }: { readonly fileName: string }) => (
  <MissingState
    what={`workflow “${fileName}”`}
    explanation="It may have been deleted or renamed, or the link is wrong."
    list={{ href: paths.workflows, label: 'All workflows' }}
  />
);
