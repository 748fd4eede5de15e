import { useLocation } from 'wouter';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { DropArea } from './drop-area.tsx';
import { useHandedOver } from './handed-over.ts';
import { takeFile } from './take-file.ts';

/** Makes of a page a place to drop a file on that a workflow is to be made of. */
export function NewWorkflowDrop({ children }: { readonly children: React.ReactNode }) {
  const [, navigate] = useLocation();
  const may = useMay('dags.create');
  const take = async (file: File, others: number): Promise<void> => {
    if (!may.allowed) return showToast('error', may.reason ?? 'You may not create workflows.');
    const source = await takeFile(file, others);
    if (source === undefined) return;
    useHandedOver.setState({ source });
    navigate(paths.newWorkflow(source.way));
  };
  return (
    <DropArea hint="Drop it to make a workflow of it" onFile={(file, others) => void take(file, others)}>
      {children}
    </DropArea>
  );
}
