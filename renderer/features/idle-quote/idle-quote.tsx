import { useEffect, useState } from 'react';
import { useBridge } from '../../api/bridge.ts';
import { usePreferences } from '../../app/preferences.ts';
import { Quote } from '../../ui/state/quote.tsx';

/** A quote for a page on which nothing goes on; none for those who want none. */
export function IdleQuote() {
  const { quotes } = usePreferences();
  return quotes === 'on' ? <OneQuote /> : null;
}

/** The same one as long as it is looked at, whatever else is read anew; without an answer its place stays empty. */
function OneQuote() {
  const bridge = useBridge();
  const [text, setText] = useState('');
  useEffect(() => {
    let isWanted = true;
    bridge.call('quotes.random', {}).then(
      ({ message }) => isWanted && setText(message),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [bridge]);
  return <Quote text={text} />;
}
