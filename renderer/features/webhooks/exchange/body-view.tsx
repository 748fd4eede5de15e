import { useId, useMemo, useState } from 'react';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import styles from './exchange.module.css';
import { prettyPrintBody } from './lay-out-body.ts';

interface BodyViewProps {
  readonly title: string;
  readonly body: string;
  /** Why it is truncated. */
  readonly note?: string | undefined;
}

const bodyViews = [
  { value: 'laid-out', label: 'Formatted' },
  { value: 'raw', label: 'Raw' },
] as const;

/** A body: JSON is formatted for reading, with the raw body on demand. */
export function BodyView({ title, body, note }: BodyViewProps) {
  const id = useId();
  const [variant, setVariant] = useState<(typeof bodyViews)[number]['value']>('laid-out');
  const laidOut = useMemo(() => prettyPrintBody(body), [body]);
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div className={styles.partHead}>
        <h3 id={id}>{title}</h3>
        <span>
          {laidOut !== undefined && (
            <Segmented
              label={`Format of ${title.toLowerCase()}`}
              value={variant}
              choices={bodyViews}
              onChange={setVariant}
            />
          )}{' '}
          <CopyButton label={`Copy ${title.toLowerCase()}`} text={body} />
        </span>
      </div>
      {body === '' ? (
        <p className={styles.note}>Empty</p>
      ) : (
        <ScrollArea className={styles.body} aria-labelledby={id}>
          <pre>{variant === 'laid-out' ? (laidOut ?? body) : body}</pre>
        </ScrollArea>
      )}
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </section>
  );
}
