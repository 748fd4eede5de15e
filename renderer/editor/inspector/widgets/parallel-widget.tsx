import { Button } from '../../../ui/controls/button.tsx';
import { useForm, type WidgetProps } from '../form/form-context.ts';
import { FormWidget } from './form-widget.tsx';
import { TextsWidget } from './texts-widget.tsx';

/** The items: an expression, a list, or a map that says how many at once. */
export function ParallelWidget(props: WidgetProps) {
  const { path, state } = props;
  const form = useForm();
  const value = state?.value;
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return <FormWidget {...props} />;
  return (
    <>
      <TextsWidget {...props} noun="item" />
      {value !== undefined && path.length === 1 && (
        <Button
          size="small"
          look="quiet"
          onPress={() => void form.set(path, { value: { items: value, maxConcurrent: 4 } })}
        >
          Say how many at once
        </Button>
      )}
    </>
  );
}
