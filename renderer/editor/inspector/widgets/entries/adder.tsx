import { Plus } from 'lucide-react';
import { Button } from '../../../../ui/controls/button.tsx';

/** Adds an entry: `a tag`, `an item`. */
export const Adder = ({ noun, onPress }: { readonly noun: string; readonly onPress: () => void }) => (
  <div>
    <Button size="small" look="quiet" icon={Plus} onPress={onPress}>
      {`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`}
    </Button>
  </div>
);
