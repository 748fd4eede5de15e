import { paths } from '../../app/paths.ts';
import { MissingState } from '../../ui/state/missing-state.tsx';

/** Stands for a workflow that the home does not have, or not any more. */
export const MissingWorkflow = ({ fileName }: { readonly fileName: string }) => (
  <MissingState
    what={`workflow “${fileName}”`}
    why="It may have been deleted or renamed, or the link is wrong."
    list={{ href: paths.workflows, label: 'All workflows' }}
  />
);
