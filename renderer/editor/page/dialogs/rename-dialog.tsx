import { PenLine } from 'lucide-react';
import { useState } from 'react';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import { renameStep } from '../../../../core/edit/steps/rename-step.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { useEditorSession } from '../../session/use-session.ts';

interface RenameDialogProps {
  readonly step: NodeRef;
  readonly onClose: () => void;
}

/** Renames a step and all references to it. */
export function RenameDialog({ step, onClose }: RenameDialogProps) {
  const session = useEditorSession();
  const [name, setName] = useState(step.name);
  const [error, setRefusal] = useState<string>();
  const rename = (): void => {
    const applied = session.apply(renameStep(session.editable, step, name.trim()), {
      label: `rename ${step.name} to ${name.trim()}`,
    });
    if (applied.ok) onClose();
    else setRefusal(applied.reason);
  };
  return (
    <FormDialog
      title={`Rename ${step.name}`}
      submit={{ label: 'Rename', icon: PenLine, isPending: false, isBlocked: name.trim() === '' }}
      error={null}
      onSubmit={rename}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        error={error}
        autoFocus
        description="References in other steps are updated."
        onChange={(next) => {
          setName(next);
          setRefusal(undefined);
        }}
      />
    </FormDialog>
  );
}
