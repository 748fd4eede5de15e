import { Plus, X } from 'lucide-react';
import type { JsonObject } from '../../../../core/base/json.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { textOfValue, useForm, type WidgetProps } from '../form/form-context.ts';
import { Cell } from './texts-widget.tsx';
import styles from '../inspector.module.css';

const providers = ['env', 'file', 'keychain'];

/** Secrets as cards: the variable, where its value comes from, and what to look up there. */
export function SecretsWidget({ path, state }: WidgetProps) {
  const form = useForm();
  const list = (state?.value ?? []) as readonly JsonObject[];
  const first = { name: 'SECRET', provider: 'env', key: 'SECRET' };
  const add = (): void =>
    void form.set(state ? [...path, list.length] : path, { value: state ? first : [first] });
  return (
    <>
      {list.map((secret, index) => (
        <div key={index} className={styles.card}>
          <div className={styles.row}>
            <Cell
              label={`Variable of secret ${index + 1}`}
              value={textOfValue(secret['name'])}
              onCommit={(text) => form.set([...path, index, 'name'], { value: text })}
            />
            <IconButton
              size="small"
              icon={X}
              label={`Remove secret ${index + 1}`}
              onPress={() => void form.set(list.length === 1 ? path : [...path, index], undefined)}
            />
          </div>
          <div className={styles.row}>
            <select
              className={styles.select}
              aria-label={`Provider of secret ${index + 1}`}
              value={textOfValue(secret['provider'])}
              onChange={(event) => void form.set([...path, index, 'provider'], { value: event.target.value })}
            >
              {[...new Set([...providers, textOfValue(secret['provider'])])].map((provider) => (
                <option key={provider}>{provider}</option>
              ))}
            </select>
            <Cell
              label={`Key of secret ${index + 1}`}
              value={textOfValue(secret['key'])}
              onCommit={(text) => form.set([...path, index, 'key'], { value: text })}
            />
          </div>
        </div>
      ))}
      <div>
        <Button size="small" look="quiet" icon={Plus} onPress={add}>
          Add a secret
        </Button>
      </div>
    </>
  );
}
