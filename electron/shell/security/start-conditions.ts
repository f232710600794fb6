/**
 * Switches a packaged app may start with: appearance and language of the desktop, and our own. Anything else that looks
 * like a switch is refused (S-25), so that an unforeseen one can't open a debugger or weaken the sandbox.
 */
const allowed =
  /^(?:--hidden|-psn_\d+_\d+|--(?:ozone-platform|ozone-platform-hint|force-device-scale-factor|force-dark-mode|lang|disable-gpu|gtk-version|enable-wayland-ime)(?:=[\w.:-]*)?)$/;

/** The first argument that a packaged app must not start with, or null. Chromium on Windows accepts `/switch` too. */
export function findDangerousSwitch(
  argv: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string | null {
  const isSwitch = platform === 'win32' ? /^[-/]/ : /^-/;
  return argv.slice(1).find((argument) => isSwitch.test(argument) && !allowed.test(argument)) ?? null;
}

const passedOn = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir'] as const;

/** A child gets these few variables and nothing else: no key, no NODE_OPTIONS, no ELECTRON_ switch (S-26, S-27). */
export const childEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

const poisonous =
  /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|NODE_PATH|LD_PRELOAD|DYLD_.*|OVOZ_(?:API_KEY|ACCOUNT_TOKEN|LEGACY_KEY))$/;

/**
 * Removes from our own environment what a process started by some library would inherit. In runs from source Electron's
 * own switches stay, because the surrounding shell may need them.
 */
export function cleanEnvironment(env: Record<string, string | undefined>, isPackaged: boolean): void {
  for (const name of Object.keys(env)) {
    if (poisonous.test(name) || (isPackaged && name.startsWith('ELECTRON_'))) delete env[name];
  }
}
