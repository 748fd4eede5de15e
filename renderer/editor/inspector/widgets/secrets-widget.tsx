import type { WidgetProps } from '../form/form-context.ts';
import { YamlWidget } from './yaml-widget.tsx';

export const SecretsWidget = (props: WidgetProps) => <YamlWidget {...props} />;
