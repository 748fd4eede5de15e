import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/controls/button.tsx';
import { isScalarValue, textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { BooleanWidget } from '../values/choice-widgets.tsx';
import { TextWidget } from '../values/text-widgets.tsx';
import { SubForm } from './sub-form.tsx';
import { RetryWaits } from '../time/retry-waits.tsx';
import styles from '../../inspector.module.css';

/** Initial values of maps that need more than one key. */
const starts: Readonly<Record<string, Record<string, number | string>>> = {
  retryPolicy: { limit: 3, intervalSec: 5 },
  container: { image: 'alpine:3' },
  repeatPolicy: { repeat: 'until', intervalSec: 10 },
};

/** A map of fields, or its short form. */
export function FormWidget(props: WidgetProps) {
  const { spec, path, state, inputId } = props;
  const form = useForm();
  const [isOpen, setOpen] = useState(false);
  const value = state?.value;
  if (value !== undefined && value !== null && isScalarValue(value)) return <ShortForm {...props} />;
  const start = starts[spec.name];
  if (value === undefined && (start !== undefined || !isOpen))
    return (
      <div>
        <Button
          id={inputId}
          size="small"
          icon={Plus}
          onPress={() => (start ? void form.set(path, { value: start }) : setOpen(true))}
        >
          {`Set ${spec.label.toLowerCase()}`}
        </Button>
      </div>
    );
  return (
    <div className={styles.subForm}>
      <SubForm fields={spec.fields} path={path} />
      {spec.name === 'retryPolicy' && <RetryWaits value={value ?? null} />}
    </div>
  );
}

/** The short form, such as `continueOn: failed` or `tty: true`. */
function ShortForm(props: WidgetProps) {
  const { spec, path, state } = props;
  const form = useForm();
  const text = textOfValue(state?.value);
  const whole = spec.name === 'continueOn' ? { [text === 'skipped' ? 'skipped' : 'failure']: true } : {};
  return (
    <>
      {typeof state?.value === 'boolean' ? <BooleanWidget {...props} /> : <TextWidget {...props} />}
      <Button size="small" variant="quiet" onPress={() => void form.set(path, { value: whole })}>
        Advanced
      </Button>
    </>
  );
}
