const allowed = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir'] as const;

/** A child gets these few variables and nothing else: no key, no NODE_OPTIONS, no ELECTRON_ switch (S-26, S-27). */
export const childEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(allowed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

const poisonous =
  /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|NODE_PATH|LD_PRELOAD|DYLD_.*|OVOZ_API_KEY)$/;

/**
 * Takes out of our own environment what a helper that some library starts would inherit. Electron's own switches stay
 * in runs from source, where the shell around us may still need them.
 */
export function cleanEnvironment(env: Record<string, string | undefined>, isPackaged: boolean): void {
  for (const name of Object.keys(env)) {
    if (poisonous.test(name) || (isPackaged && name.startsWith('ELECTRON_'))) delete env[name];
  }
}
