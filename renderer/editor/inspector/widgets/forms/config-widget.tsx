import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import { textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { configSpecs } from './config-specs.ts';
import { YamlWidget } from '../values/yaml-widget.tsx';
import styles from '../../inspector.module.css';

/** The options of the chosen step type; YAML for an unknown type. */
export function ConfigWidget(props: WidgetProps) {
  const form = useForm();
  const type = textOfValue(form.stateOf(['type'])?.value);
  return configSpecs(type) === undefined ? (
    <YamlWidget {...props} />
  ) : (
    <ConfigFields type={type} path={props.path} />
  );
}

const fold = (key: string): string => key.replaceAll(/[_-]/g, '').toLowerCase();

/** The fields of a configuration, each under the key that the author used. */
export function ConfigFields({ type, path }: { readonly type: string; readonly path: AuthoredPath }) {
  const form = useForm();
  const value = form.stateOf(path)?.value;
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : [];
  return (
    <div className={styles.subForm}>
      {(configSpecs(type) ?? []).map((spec) => (
        <form.Row
          key={spec.name}
          spec={spec}
          path={[...path, keys.find((key) => fold(key) === fold(spec.name)) ?? spec.name]}
        />
      ))}
    </div>
  );
}
