import type { Encryption } from '../../model/editable-settings.ts';
import type { BaseConfig } from '../../spec/base-config.ts';
import type { Smtp } from '../../model/settings.ts';
import { readEditable } from '../../edit/yaml/editable-text.ts';
import { editSetting, findWrittenPath, parseSetting, type SettingValue } from './setting-edit.ts';

/** The mail server of the base configuration, and the sender of emails about runs; values are unexpanded. */
export interface MailSettings {
  readonly host: string;
  readonly port: string;
  readonly username: string;
  readonly encryption: Encryption;
  readonly verifyCertificate: boolean;
  readonly from: string;
}

/** New settings. */
export interface MailChange extends MailSettings {
  /** Null removes it; undefined leaves it unchanged. */
  readonly password?: string | null | undefined;
}

/** Returns the first mail server of a base configuration. */
export function readMailSettings(base: BaseConfig | undefined): MailSettings {
  const { host = '', port = '', username = '', requireTLS, skipTLSVerify } = base?.smtp?.[0] ?? {};
  return {
    host,
    port,
    username,
    encryption: requireTLS === undefined ? 'auto' : requireTLS ? 'required' : 'optional',
    verifyCertificate: skipTLSVerify !== true,
    from: base?.errorMail?.from ?? base?.infoMail?.from ?? '',
  };
}

/** Returns the server that the settings describe. */
export const toSmtp = (change: MailChange, saved: Smtp | undefined): Smtp => ({
  host: change.host,
  ...(change.port !== '' && { port: change.port }),
  ...(change.username !== '' && { username: change.username }),
  ...toPassword(change.password === undefined ? saved?.password : change.password),
  ...(change.encryption !== 'auto' && { requireTLS: change.encryption === 'required' }),
  ...(!change.verifyCertificate && { skipTLSVerify: true }),
});

const toPassword = (password: string | null | undefined): Pick<Smtp, 'password'> =>
  password === undefined || password === null || password === '' ? {} : { password };

/**
 * Changes the mail server in the text of a base configuration. Comments and all other lines stay unchanged.
 * @throws `conflict` if the file has to be edited by hand
 */
export function editMailSettings(text: string, change: MailChange): string {
  let edited = text;
  const set = (path: readonly (string | number)[], value: SettingValue | null): void => {
    edited = editSetting(edited, path, value);
  };
  const orNone = (value: string): SettingValue | null => (value === '' ? null : parseSetting(value));
  const { encryption, password } = change;
  if (change.host === '') set(['smtp'], null);
  else {
    const { value } = findWrittenPath(readEditable(text).documents[0]?.toJS(), ['smtp']);
    const server = Array.isArray(value) ? ['smtp', 0] : ['smtp'];
    set([...server, 'host'], change.host);
    set([...server, 'port'], orNone(change.port));
    set([...server, 'username'], change.username === '' ? null : change.username);
    if (password !== undefined) set([...server, 'password'], password === '' ? null : password);
    set([...server, 'requireTLS'], encryption === 'auto' ? null : encryption === 'required');
    set([...server, 'skipTLSVerify'], change.verifyCertificate ? null : true);
  }
  for (const mail of ['errorMail', 'infoMail']) set([mail, 'from'], change.from === '' ? null : change.from);
  return edited;
}
