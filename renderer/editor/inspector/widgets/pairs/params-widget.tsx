import { Button } from '../../../../ui/controls/button.tsx';
import { useForm, type WidgetProps } from '../../form/form-context.ts';
import { isSchemaOfParams } from '../entries/rows-below.ts';
import { ChildParams } from '../steps/child-params.tsx';
import { FormWidget } from '../forms/form-widget.tsx';
import { PairsWidget } from './pairs-widget.tsx';

/** Parameters as a table or a string, or a schema for them with defaults. */
export function ParamsWidget(props: WidgetProps) {
  const { path, state, spec } = props;
  const form = useForm();
  const value = state?.value;
  if (isSchemaOfParams(value)) return <FormWidget {...props} />;
  const canCheck = spec.fields.length > 0 && value === undefined;
  return (
    <>
      <PairsWidget {...props} />
      {form.kind === 'step' && form.stateOf(['run']) && <ChildParams path={path} state={state} />}
      {canCheck && (
        <div>
          <Button
            size="small"
            variant="quiet"
            onPress={() => void form.set(path, { value: { schema: './params.schema.json' } })}
          >
            Validate with JSON Schema
          </Button>
        </div>
      )}
    </>
  );
}
