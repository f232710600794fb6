import type { Plugin } from 'vite';

const refuses = (what: string) => `() => { throw new Error(${JSON.stringify(what)}); }`;
const checked = refuses('Settings are checked by their own schema; electron-store is given none.');
const moved = refuses('Settings are moved by their own migrations; electron-store is given none.');

/** What stands in for each library, by its name. */
const standIns: Readonly<Record<string, string>> = {
  'ajv/dist/2020.js': `export class Ajv2020 { constructor() { (${checked})(); } }\nexport default Ajv2020;`,
  'ajv-formats': `export default ${checked};`,
  semver: `export default new Proxy({}, { get: ${moved} });`,
};
const mark = '\0lean-settings-store:';

/**
 * electron-store can check its file by `ajv`, which makes code from text (S-03), and move it by versions that `semver`
 * reads. The settings have a schema and migrations of their own, which run before electron-store opens them, so none of
 * these is shipped, or read at each start. Whoever hands electron-store a schema or migrations hears of it.
 */
export const leanSettingsStore = (): Plugin => ({
  name: 'lean-settings-store',
  enforce: 'pre',
  resolveId: (id) => (Object.hasOwn(standIns, id) ? mark + id : null),
  load: (id) => (id.startsWith(mark) ? standIns[id.slice(mark.length)] : null),
});
