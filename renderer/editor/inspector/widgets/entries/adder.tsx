import { Plus } from 'lucide-react';
import { Button } from '../../../../ui/controls/button.tsx';
import { addEntry } from './entry-focus.ts';

interface AdderProps {
  /** The noun of an entry: `tag`, `item`. */
  readonly noun: string;
  readonly onPress: () => Promise<boolean>;
}

/** Button that adds an entry and focuses it. */
export const AddEntryButton = ({ noun, onPress }: AdderProps) => (
  <div>
    <Button size="small" variant="quiet" icon={Plus} onPress={({ target }) => void addEntry(target, onPress)}>
      {`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`}
    </Button>
  </div>
);
