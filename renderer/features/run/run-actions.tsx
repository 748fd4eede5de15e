import { Ellipsis, Workflow } from 'lucide-react';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { isActive } from '../../format/status.ts';
import { useDags } from '../../api/queries/workflows/workflow-queries.ts';
import { paths } from '../../app/paths.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { ActionMenu } from '../../ui/overlay/menu.tsx';
import { useRunFiles } from '../files/use-run-files.ts';
import { RerunButton } from '../rerun/rerun-button.tsx';
import { StopButton } from '../rerun/stop-button.tsx';

/** Stop while the run goes on; afterwards retry it, run it again, compare it or delete it. */
export function RunActions({ run }: { readonly run: RunDetailView }) {
  // A run knows its workflow's name; a start wants the name of a file that is still there.
  const dag = useDags().data?.find(({ name }) => name === run.name);
  const more = useRunFiles(run);
  const open = dag && (
    <LinkButton href={paths.workflow(dag.fileName)} icon={Workflow}>
      Workflow
    </LinkButton>
  );
  return (
    <>
      {open}
      {isActive(run) ? (
        <>
          <StopButton run={run} />
          {more.length > 0 && (
            <ActionMenu label="Run actions" actions={more}>
              <IconButton label="More" icon={Ellipsis} />
            </ActionMenu>
          )}
        </>
      ) : (
        <RerunButton run={run} more={more} {...(dag && { fileName: dag.fileName })} />
      )}
    </>
  );
}
