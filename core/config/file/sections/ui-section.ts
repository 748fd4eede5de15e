import { logCharsets } from '../../../model/workflow/log-charset.ts';
import { findCharset } from '../../log-charset.ts';
import { key, optionalKey, type ConfigTable } from '../config-key.ts';
import { text } from '../values/read-texts.ts';
import { oneOf, scalar, wholeNumber } from '../values/read-values.ts';

/** Nothing but a color may be inserted into a style of the page. */
const colour = scalar('a color such as #0b7285 or teal', (written) =>
  /^(#([0-9a-f]{3}|[0-9a-f]{6})|[a-z]{3,30})$/i.test(written) ? written : undefined,
);

/** Appearance of the user interface of this installation. */
export const uiSection = {
  /** Name of the installation, shown instead of the product name. */
  navbarTitle: optionalKey(text, 'ENGINE_UI_NAVBAR_TITLE'),
  /** Color next to the name, to distinguish installations. */
  navbarColor: optionalKey(colour, 'ENGINE_UI_NAVBAR_COLOR'),
  /** Page size of the list of runs. */
  maxDashboardPageLimit: key(wholeNumber(1, 1000), 100, 'ENGINE_UI_MAX_DASHBOARD_PAGE_LIMIT'),
  /** Encoding of log content that is not UTF-8. Default: that of the system's locale. */
  logEncodingCharset: optionalKey(
    scalar(`one of ${logCharsets.join(', ')}`, findCharset),
    'ENGINE_UI_LOG_ENCODING_CHARSET',
  ),
  dags: {
    /** Default sort column of the list of workflows. */
    sortField: key(oneOf('name', 'nextRun', 'latestRun'), 'name', 'ENGINE_UI_DAGS_SORT_FIELD'),
    sortOrder: key(oneOf('asc', 'desc'), 'asc', 'ENGINE_UI_DAGS_SORT_ORDER'),
  },
} as const satisfies ConfigTable;
