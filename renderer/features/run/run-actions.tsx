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

/** Actions of a run: stop while active; afterwards retry, rerun, compare or delete. */
export function RunActions({ run }: { readonly run: RunDetailView }) {
  // A run has its workflow's name; starting needs the name of an existing file.
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
