import { useLocation } from 'wouter';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { DropArea } from './drop-area.tsx';
import { useHandedOver } from './handed-over.ts';
import { takeFiles } from './take-file.ts';

/** Makes of a page a place to drop a file on that a workflow is to be made of. */
export function NewWorkflowDrop({ children }: { readonly children: React.ReactNode }) {
  const [, navigate] = useLocation();
  const may = useMay('dags.create');
  const take = async (dropped: readonly File[]): Promise<void> => {
    if (!may.allowed) return showToast('error', may.reason ?? 'You may not create workflows.');
    const files = await takeFiles(dropped);
    if (files[0] === undefined) return;
    useHandedOver.setState({ files });
    navigate(paths.newWorkflow(files[0].way));
  };
  return (
    <DropArea hint="Drop it to make a workflow of it" onFiles={(files) => void take(files)}>
      {children}
    </DropArea>
  );
}
