import type { JsonValue } from '../../../core/base/json.ts';
import type { FieldSpec, WidgetKind } from './field-specs.ts';
import { isScalarValue, type WidgetProps } from './form-context.ts';
import { CodeWidget } from './code-widget.tsx';
import { ConditionsWidget } from './conditions-widget.tsx';
import { ConfigWidget, TypeWidget, YamlWidget } from './config-widget.tsx';
import { DependsWidget, HandlersWidget, RunWidget, StepsWidget } from './step-widgets.tsx';
import { FormWidget, FormsWidget } from './form-widgets.tsx';
import { ParallelWidget, SecretsWidget } from './parallel-widget.tsx';
import { RegistryLoginsWidget, PayloadParamsWidget } from './named-entries.tsx';
import { ParamsWidget, PairsWidget } from './pairs-widget.tsx';
import { isParamsSchema } from './entry-rows.ts';
import {
  ChoiceWidget,
  BooleanWidget,
  MultilineTextWidget,
  NumberWidget,
  SecondsWidget,
  TextWidget,
  ExitCodesWidget,
  StringListWidget,
} from './text-widgets.tsx';
import { ScheduleWidget } from './schedule-widget.tsx';

interface WidgetMaker {
  /** Whether it can show a value without loss; otherwise its YAML is shown. */
  readonly fits: (value: JsonValue) => boolean;
  readonly Shape: (props: WidgetProps) => React.ReactNode;
}

const isMap = (value: JsonValue): boolean =>
  value === null || (typeof value === 'object' && !Array.isArray(value));
const isFlatMap = (value: JsonValue): boolean =>
  isMap(value) && Object.values(value ?? {}).every(isScalarValue);
const isTexts = (value: JsonValue): boolean =>
  isScalarValue(value) || (Array.isArray(value) && value.every((item) => isScalarValue(item)));
const isPairs = (value: JsonValue): boolean =>
  isFlatMap(value) ||
  (Array.isArray(value) &&
    value.every((item) => typeof item === 'string' || (item !== null && isFlatMap(item))));
/** A list with typed parameters is not one of names and values. */
const isTyped = (value: JsonValue): boolean =>
  Array.isArray(value) &&
  value.some((item) => {
    const keys = typeof item === 'object' && item !== null ? Object.keys(item) : [];
    return keys.includes('name') && keys.length > 1;
  });
const isParams = (value: JsonValue): boolean =>
  isScalarValue(value) || ((isPairs(value) || isTexts(value)) && !isTyped(value)) || isParamsSchema(value);
const isConditions = (value: JsonValue): boolean =>
  isScalarValue(value) ||
  isFlatMap(value) ||
  (Array.isArray(value) && value.every((item) => isScalarValue(item) || isFlatMap(item)));
const isForm = (value: JsonValue): boolean => isMap(value) || isScalarValue(value);
const isItems = (value: JsonValue): boolean =>
  isForm(value) || (Array.isArray(value) && value.every((item) => isScalarValue(item) || isFlatMap(item)));
const isForms = (value: JsonValue): boolean =>
  isMap(value) || (Array.isArray(value) && value.every((item) => item !== null && isMap(item)));
const isLogins = (value: JsonValue): boolean =>
  isScalarValue(value) ||
  (isMap(value) && Object.values(value ?? {}).every((login) => isScalarValue(login) || isMap(login)));
const always = (): boolean => true;

/** The widget of each kind of field. */
const widgets: Readonly<Record<WidgetKind, WidgetMaker>> = {
  text: { fits: isScalarValue, Shape: TextWidget },
  lines: { fits: isScalarValue, Shape: MultilineTextWidget },
  prose: { fits: isScalarValue, Shape: MultilineTextWidget },
  code: { fits: isTexts, Shape: CodeWidget },
  number: { fits: isScalarValue, Shape: NumberWidget },
  seconds: { fits: isScalarValue, Shape: SecondsWidget },
  flag: { fits: (value) => typeof value === 'boolean' || value === null, Shape: BooleanWidget },
  choice: { fits: isScalarValue, Shape: ChoiceWidget },
  texts: { fits: isTexts, Shape: StringListWidget },
  codes: { fits: isTexts, Shape: ExitCodesWidget },
  pairs: { fits: isPairs, Shape: PairsWidget },
  params: { fits: isParams, Shape: ParamsWidget },
  secrets: { fits: (value) => Array.isArray(value) && value.every(isMap), Shape: SecretsWidget },
  depends: { fits: isTexts, Shape: DependsWidget },
  conditions: { fits: isConditions, Shape: ConditionsWidget },
  form: { fits: isForm, Shape: FormWidget },
  forms: { fits: isForms, Shape: FormsWidget },
  run: { fits: isScalarValue, Shape: RunWidget },
  parallel: { fits: isItems, Shape: ParallelWidget },
  schedule: { fits: (value) => isTexts(value) || isMap(value), Shape: ScheduleWidget },
  type: { fits: isForm, Shape: TypeWidget },
  config: { fits: isMap, Shape: ConfigWidget },
  steps: { fits: always, Shape: StepsWidget },
  handlers: { fits: isMap, Shape: HandlersWidget },
  logins: { fits: isLogins, Shape: RegistryLoginsWidget },
  payloadParams: { fits: (value) => isMap(value) && isLogins(value), Shape: PayloadParamsWidget },
  yaml: { fits: always, Shape: YamlWidget },
};

/** Whether a widget can show a value without YAML. */
export const fitsWidget = ({ widget }: FieldSpec, value: JsonValue): boolean => widgets[widget].fits(value);

/** Renders the widget of a field, or YAML if the value does not fit it. */
export function Widget(props: WidgetProps) {
  const isShown = props.state === undefined || fitsWidget(props.spec, props.state.value);
  const ReadText = isShown ? widgets[props.spec.widget].Shape : YamlWidget;
  return <ReadText {...props} />;
}
