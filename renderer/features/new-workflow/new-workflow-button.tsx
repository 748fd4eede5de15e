import { Plus } from 'lucide-react';
import { useLocation } from 'wouter';
import { useCan } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';

/** Links to the page that creates workflows. */
export function NewWorkflowButton() {
  const [, navigate] = useLocation();
  const may = useCan('dags.create');
  return (
    <Button
      variant="primary"
      icon={Plus}
      unavailable={may.reason}
      onPress={() => navigate(paths.newWorkflow())}
    >
      New workflow
    </Button>
  );
}
