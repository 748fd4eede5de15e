import { logCharsets } from '../../../model/workflow/log-charset.ts';
import { findCharset } from '../../log-charset.ts';
import { key, optionalKey, type ConfigTable } from '../config-key.ts';
import { text } from '../values/read-texts.ts';
import { oneOf, scalar, wholeNumber } from '../values/read-values.ts';

/** Nothing but a colour may get into a style of the page. */
const colour = scalar('a color such as #0b7285 or teal', (written) =>
  /^(#([0-9a-f]{3}|[0-9a-f]{6})|[a-z]{3,30})$/i.test(written) ? written : undefined,
);

/** How the user interface of this installation differs from others. */
export const uiSection = {
  /** Name of the installation, in the place of the product's. */
  navbarTitle: optionalKey(text, 'ENGINE_UI_NAVBAR_TITLE'),
  /** Colour beside the name, by which installations are told apart. */
  navbarColor: optionalKey(colour, 'ENGINE_UI_NAVBAR_COLOR'),
  /** Runs that one page of the list of runs holds. */
  maxDashboardPageLimit: key(wholeNumber(1, 1000), 100, 'ENGINE_UI_MAX_DASHBOARD_PAGE_LIMIT'),
  /** Encoding of what in a log is no UTF-8; that of the system's locale when absent. */
  logEncodingCharset: optionalKey(
    scalar(`one of ${logCharsets.join(', ')}`, findCharset),
    'ENGINE_UI_LOG_ENCODING_CHARSET',
  ),
  dags: {
    /** By which column the list of workflows is ordered until somebody chooses another one. */
    sortField: key(oneOf('name', 'nextRun', 'latestRun'), 'name', 'ENGINE_UI_DAGS_SORT_FIELD'),
    sortOrder: key(oneOf('asc', 'desc'), 'asc', 'ENGINE_UI_DAGS_SORT_ORDER'),
  },
} as const satisfies ConfigTable;
