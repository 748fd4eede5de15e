import { Workflow } from 'lucide-react';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { isActive, useDags } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { RerunButton } from '../rerun/rerun-button.tsx';
import { StopButton } from '../rerun/stop-button.tsx';

/** Stop while the run goes on; afterwards retry it, run it again, compare it or delete it. */
export function RunActions({ run }: { readonly run: RunDetailView }) {
  // A run knows its workflow's name; a start wants the name of a file that is still there.
  const dag = useDags().data?.find(({ name }) => name === run.name);
  const open = dag && (
    <LinkButton href={paths.workflow(dag.fileName)} icon={Workflow}>
      Workflow
    </LinkButton>
  );
  return (
    <>
      {open}
      {isActive(run) ? (
        <StopButton run={run} />
      ) : (
        <RerunButton run={run} {...(dag && { fileName: dag.fileName })} />
      )}
    </>
  );
}
