/** What a program needs to run and to find a temporary folder; nothing of ours, least of all a key. */
const needed = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];

/** The environment of every process that is started from plain Node (S-27). */
export const smallEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(needed.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined));
