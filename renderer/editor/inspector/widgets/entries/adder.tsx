import { Plus } from 'lucide-react';
import { Button } from '../../../../ui/controls/button.tsx';
import { addEntry } from './entry-focus.ts';

interface AdderProps {
  /** What is added: `tag`, `item`. */
  readonly noun: string;
  readonly onPress: () => Promise<boolean>;
}

/** Adds an entry, which gets the focus. */
export const Adder = ({ noun, onPress }: AdderProps) => (
  <div>
    <Button size="small" look="quiet" icon={Plus} onPress={({ target }) => void addEntry(target, onPress)}>
      {`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`}
    </Button>
  </div>
);
