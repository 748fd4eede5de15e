import { Ellipsis, Save, SquareTerminal } from 'lucide-react';
import { useRegisterActions } from '../../app/actions.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { ActionMenu } from '../../ui/overlay/menu.tsx';
import { openTerminal } from '../terminal/terminal-store.ts';
import { useSaveCopy } from './use-save-copy.ts';

interface WorkflowMenuProps {
  readonly fileName: string;
  /** Whether it can be run, so that it has a working directory. */
  readonly isValid: boolean;
}

/** Desktop actions on a workflow, in a menu and in the palette; nothing in a browser. */
export function WorkflowMenu({ fileName, isValid }: WorkflowMenuProps) {
  const saveCopy = useSaveCopy();
  const actions =
    saveCopy === undefined
      ? []
      : [
          {
            id: 'save copy',
            label: 'Save a copy…',
            icon: Save,
            run: () => void saveCopy({ kind: 'workflow', fileName }),
          },
          ...(isValid
            ? [
                {
                  id: 'terminal',
                  label: 'Open terminal here',
                  icon: SquareTerminal,
                  run: () => openTerminal({ fileName }),
                },
              ]
            : []),
        ];
  useRegisterActions(actions.map(({ label, ...action }) => ({ ...action, title: label })));
  if (actions.length === 0) return null;
  return (
    <ActionMenu label="More workflow actions" actions={actions}>
      <IconButton label="More" icon={Ellipsis} />
    </ActionMenu>
  );
}
