/** Manual checks, each a sentence to confirm on each platform. */
export const checklist: readonly string[] = [
  'Tray: the icon shows idle, running, failed and paused; the menu opens with either mouse button; on GNOME without an extension the app says how to get back.',
  'Notifications: a failure shows one, its buttons Open and Retry work; with quiet hours on none comes.',
  'Sleep: after a suspend of ten minutes a schedule that was due in it starts once.',
  'Start at login: after signing out and in the app is in the tray, without a window.',
  'Links: with the package installed, stepwright://dag/sales-etl from a browser opens the editor, with the app running and not.',
  'Files: "open with" on a .dag.yaml shows it and runs nothing; dropping it on the window does the same.',
  'Keychain: on a desktop with GNOME Keyring or KWallet there is no warning, and a secret works after a new start.',
  'Terminal: vim and less draw rightly, resize with the window, copy and paste work; closing the window with vim open asks.',
  'Service: switched on, systemctl --user status stepwright (launchctl, Task Scheduler) shows it after signing in; switched off, nothing is left.',
  'The command: switched on, engine --version works in a new terminal; with an AppImage as well.',
  'Updates: with a feed, a new version is downloaded and told of; with a run active it is taken only after its end.',
  'Speed: the window can be used within a second of the click on its icon; with the window closed the processes of the app take no processor time.',
  'macOS: the archive is signed and notarised, a first start shows no warning; Windows: the installer and its removal leave no files but the home.',
];
