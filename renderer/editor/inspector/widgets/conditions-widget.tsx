import type { WidgetProps } from '../form/form-context.ts';
import { YamlWidget } from './yaml-widget.tsx';

export const ConditionsWidget = (props: WidgetProps) => <YamlWidget {...props} />;
