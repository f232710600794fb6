const allowed = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir'] as const;

/** A child gets these few variables and nothing else: no key, no NODE_OPTIONS, no ELECTRON_ switch (S-26, S-27). */
export const childEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(allowed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

const poisonous =
  /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|NODE_PATH|LD_PRELOAD|DYLD_.*|ELECTRON_.*|OVOZ_API_KEY)$/;

/** Takes out of our own environment what a helper started by a library would inherit. Returns the names taken. */
export function cleanEnvironment(env: Record<string, string | undefined>): readonly string[] {
  const names = Object.keys(env).filter((name) => poisonous.test(name));
  for (const name of names) delete env[name];
  return names;
}
