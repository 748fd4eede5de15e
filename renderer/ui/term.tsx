import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Link } from 'wouter';
import { paths, withQuery } from '../navigation/address.ts';
import styles from './overlay.module.css';

/** A term with its page and section of the documentation. */
interface Explanation {
  readonly text: string;
  readonly document: string;
  readonly section?: string;
}

/** The words that a new user has to know. */
export const terms = {
  workflow: {
    text: 'Steps and the order in which they run, in a YAML file.',
    document: 'workflows',
  },
  step: {
    text: 'One action of a workflow, such as a command, a script or an HTTP request.',
    document: 'workflows',
    section: 'step-fields',
  },
  run: {
    text: 'One execution of a workflow, with the status and log of each step.',
    document: 'run-page',
  },
  queue: {
    text: 'Where runs wait until there is capacity. A queue limits how many of its runs are active at a time.',
    document: 'queues',
  },
  home: {
    text: 'The folder with the workflow files, run history and configuration of this installation.',
    document: 'configuration',
  },
} as const satisfies Readonly<Record<string, Explanation>>;

interface TermProps {
  readonly name: keyof typeof terms;
  /** The word in its sentence: `workflows`. */
  readonly children: string;
}

/** A word in a sentence that explains itself when pressed, with a link to the documentation. */
export function Term({ name, children }: TermProps) {
  const [isOpen, setOpen] = useState(false);
  const { text, document, section }: Explanation = terms[name];
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className={styles.term}>{children}</Button>
      <Popover className={`${styles.popover} ${styles.explanation}`} placement="bottom start" offset={6}>
        <Dialog aria-label={`What is a ${name}?`}>
          <p>{text}</p>
          <Link href={withQuery(paths.help(document), { section })} onClick={() => setOpen(false)}>
            Learn more
            <ArrowRight size={14} aria-hidden="true" />
          </Link>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
