import { useEffect, useState } from 'react';
import { useBridge } from '../../api/bridge.ts';
import { usePreferences } from '../../app/preferences.ts';
import { Quote } from '../../ui/state/quote.tsx';

/** A quote for a page without activity; can be turned off in the settings. */
export function IdleQuote() {
  const { quotes } = usePreferences();
  return quotes === 'on' ? <OneQuote /> : null;
}

/**
 * Keeps the same quote while it is shown, regardless of refetches; without a response its place stays empty.
 */
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
