import { ArrowDown, ArrowUp } from 'lucide-react';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useForm, type Form, type WidgetProps } from '../form/form-context.ts';

interface MoveButtonsProps {
  /** Of the list. */
  readonly path: WidgetProps['path'];
  /** What the entry is called: `Tags 2`. */
  readonly label: string;
  readonly index: number;
  readonly count: number;
}

/** Moves an entry of a list up or down; of one list only, since the lists of several steps differ. */
export function MoveButtons({ path, label, index, count }: MoveButtonsProps) {
  const form = useForm();
  if (count < 2 || form.target.length > 1) return null;
  return (
    <>
      <IconButton
        size="small"
        icon={ArrowUp}
        label={`Move ${label} up`}
        isDisabled={index === 0}
        onPress={() => moveEntry(form, path, index, index - 1)}
      />
      <IconButton
        size="small"
        icon={ArrowDown}
        label={`Move ${label} down`}
        isDisabled={index === count - 1}
        onPress={() => moveEntry(form, path, index, index + 1)}
      />
    </>
  );
}

function moveEntry(form: Form, path: WidgetProps['path'], from: number, to: number): void {
  const request = { kind: 'move', target: form.target, field: path, from, to } as const;
  void form.edit(path, request, `move entry of ${path.join('.')}`);
}
