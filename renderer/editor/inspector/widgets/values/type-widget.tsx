import { executorTypes } from '../../../../../core/model/executors/executor-type.ts';
import { kindNames } from '../../../../format/step-action.ts';
import { NativeSelect } from '../../../../ui/controls/native-select.tsx';
import { textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { ConfigFields } from '../forms/config-widget.tsx';

/** The step type. */
export function TypeWidget(props: WidgetProps) {
  const { path, state, inputId, describedBy, isInvalid, isMixed } = props;
  const form = useForm();
  const value = state?.value;
  const map = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  const type = textOfValue(map ? map['type'] : value);
  const at = map ? [...path, 'type'] : path;
  const isKnown = type === '' || executorTypes.some((each) => each === type);
  return (
    <>
      <NativeSelect
        id={inputId}
        isField
        value={type}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        onChange={(event) =>
          void form.set(at, event.target.value === '' ? undefined : { value: event.target.value })
        }
      >
        <option value="">{isMixed ? 'Different values' : 'Command, script or workflow'}</option>
        {!isKnown && <option value={type}>{type}</option>}
        {executorTypes.map((each) => (
          <option key={each} value={each}>
            {`${kindNames[each]} (${each})`}
          </option>
        ))}
      </NativeSelect>
      {map && <ConfigFields type={type} path={[...path, 'config']} />}
    </>
  );
}
